package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Problem;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacesTest {

    private static final SystemClocks CLOCKS = new SystemClocks();

    private static Places places(int replica, int ofClient, int ofRoute) {
        return new Places(replica, ClientBounds.ofForwards(ofClient, CLOCKS), Map.of("a", ofRoute, "b", ofRoute));
    }

    private static Places.Place taken(Places places, String route, String client) {
        return ((Places.Entrance.Taken) places.enter(route, client)).place();
    }

    private static Problem refused(Places places, String route, String client) {
        return ((Places.Entrance.Full) places.enter(route, client)).problem();
    }

    /// `limits.forwards` alone: 429 would tell the client of a bound that nobody has set.
    @Test
    void replicaIsFullAlsoWhereOneClientHasAllItsPlaces() {
        Places places = places(2, 2, 9);
        try (Places.Place _ = taken(places, "b", "ann")) {
            try (Places.Place _ = taken(places, "a", "ann")) {
                assertThat(refused(places, "a", "ann")).isEqualTo(Problem.OVERLOADED);
                assertThat(refused(places, "a", "bob")).isEqualTo(Problem.OVERLOADED);
            }
            taken(places, "a", "ann").close();
        }
        assertThat(places.taken()).isZero();
    }

    @Test
    void clientIsAtItsBoundWhileTheReplicaHasPlaces() {
        Places places = places(3, 2, 9);
        try (Places.Place _ = taken(places, "a", "ann"); Places.Place _ = taken(places, "b", "ann")) {
            assertThat(refused(places, "a", "ann")).isEqualTo(Problem.TOO_MANY_CALLS);
            try (Places.Place _ = taken(places, "a", "bob")) {
                assertThat(refused(places, "a", "eve")).isEqualTo(Problem.OVERLOADED);
            }
        }
        assertThat(places.taken()).isZero();
    }

    @Test
    void routeIsFullByItself() {
        Places places = places(9, 9, 1);
        try (Places.Place _ = taken(places, "a", "ann")) {
            assertThat(refused(places, "a", "ann")).isEqualTo(Problem.OVERLOADED);
            taken(places, "b", "ann").close();
        }
    }
}
