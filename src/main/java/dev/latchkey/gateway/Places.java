package dev.latchkey.gateway;

import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Refusal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The places among the forwards under way: of this replica, of each route and of each client. A place is taken before the
/// claim, so that nothing waits between claim and send. Safe for any number of threads; never blocks.
public final class Places {

    private final Semaphore replica;
    private final int replicaSize;
    private final Map<String, Semaphore> routes = new ConcurrentHashMap<>();
    private final ClientBounds clients;

    /// Makes as many places as the settings say.
    ///
    /// @param replica forwards under way on this replica
    /// @param clients what one client may take of them
    /// @param routes of them, for each route by its name
    public Places(int replica, ClientBounds clients, Map<String, Integer> routes) {
        this.replica = new Semaphore(replica);
        this.replicaSize = replica;
        this.clients = clients;
        routes.forEach((name, size) -> this.routes.put(name, new Semaphore(size)));
    }

    /// What came of asking for a place.
    public sealed interface Entrance {
        /// A place; it must be given back.
        record Taken(Place place) implements Entrance {}

        /// None is free, or the client calls too often.
        ///
        /// @param problem whether it is the client's own bound that is reached
        /// @param why which one, for people
        /// @param after when to come again; null: soon
        record Full(Problem problem, String why, @Nullable Duration after) implements Entrance {

            /// The refusal of a call that was to be forwarded.
            ///
            /// @param next what was not done, and what to do
            Refusal refusal(String next) {
                return Refusal.passing(problem, why + " " + next, after);
            }
        }
    }

    /// One place; closing it twice does nothing more.
    public static final class Place implements AutoCloseable {
        private final AtomicBoolean given = new AtomicBoolean();
        private final Runnable back;

        private Place(Runnable back) {
            this.back = back;
        }

        @Override
        public void close() {
            if (given.compareAndSet(false, true)) {
                back.run();
            }
        }
    }

    /// Asks for a place.
    public Entrance enter(String route, String client) {
        Semaphore ofRoute = routes.get(route);
        if (ofRoute == null) {
            throw new IllegalArgumentException("no places for route " + route);
        }
        if (!clients.enter(client)) {
            // Where both bounds are reached, as where the client has none of its own, it is the replica that is full.
            return replica.availablePermits() == 0
                    ? full("this replica's forwards under way")
                    : new Entrance.Full(
                            Problem.TOO_MANY_CALLS, "This client has as many calls under way as it may.", null);
        }
        if (!ofRoute.tryAcquire()) {
            clients.leave(client);
            return full("the route's forwards under way");
        }
        if (!replica.tryAcquire()) {
            ofRoute.release();
            clients.leave(client);
            return full("this replica's forwards under way");
        }
        Place place = new Place(() -> {
            clients.leave(client);
            ofRoute.release();
            replica.release();
        });
        Duration early = clients.pass(client);
        if (early != null) {
            place.close();
            return tooOften(early);
        }
        return new Entrance.Taken(place);
    }

    /// Asks whether the client may claim what takes no place here: one that it holds itself. Null: it may.
    Entrance.@Nullable Full claim(String client) {
        Duration early = clients.pass(client);
        return early == null ? null : tooOften(early);
    }

    private static Entrance.Full full(String bound) {
        return new Entrance.Full(Problem.OVERLOADED, "No place is free among " + bound + ".", null);
    }

    private static Entrance.Full tooOften(Duration early) {
        return new Entrance.Full(
                Problem.TOO_MANY_CALLS, "This client has made as many calls in this second as it may.", early);
    }

    /// How many are taken on this replica.
    public int taken() {
        return replicaSize - replica.availablePermits();
    }
}
