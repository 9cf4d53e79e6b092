package dev.latchkey.gateway;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/// The places among the forwards under way: of this replica, of each route and of each client. A place is taken before the
/// claim, so that nothing waits between claim and send. Safe for any number of threads; never blocks.
public final class Places {

    private final Semaphore replica;
    private final int replicaSize;
    private final Map<String, Semaphore> routes = new ConcurrentHashMap<>();
    private final Map<String, Semaphore> clients = new ConcurrentHashMap<>();
    private final int perClient;

    /// Makes as many places as the settings say.
    ///
    /// @param replica forwards under way on this replica
    /// @param perClient of them, for one client
    /// @param routes of them, for each route by its name
    public Places(int replica, int perClient, Map<String, Integer> routes) {
        this.replica = new Semaphore(replica);
        this.replicaSize = replica;
        this.perClient = perClient;
        routes.forEach((name, size) -> this.routes.put(name, new Semaphore(size)));
    }

    /// What came of asking for a place.
    public sealed interface Entrance {
        /// A place; it must be given back.
        record Taken(Place place) implements Entrance {}

        /// None is free.
        ///
        /// @param clientsOwn whether it is the client's own bound that is reached
        /// @param bound which one, for people
        record Full(boolean clientsOwn, String bound) implements Entrance {}
    }

    /// One place; closing it twice does nothing more.
    public static final class Place implements AutoCloseable {
        private final AtomicBoolean given = new AtomicBoolean();
        private final Semaphore[] from;

        private Place(Semaphore... from) {
            this.from = from;
        }

        @Override
        public void close() {
            if (given.compareAndSet(false, true)) {
                for (Semaphore semaphore : from) {
                    semaphore.release();
                }
            }
        }
    }

    /// Asks for a place.
    public Entrance enter(String route, String client) {
        Semaphore ofRoute = routes.get(route);
        if (ofRoute == null) {
            throw new IllegalArgumentException("no places for route " + route);
        }
        Semaphore ofClient = clients.computeIfAbsent(client, name -> new Semaphore(perClient));
        if (!ofClient.tryAcquire()) {
            return new Entrance.Full(true, "this client's calls under way");
        }
        if (!ofRoute.tryAcquire()) {
            ofClient.release();
            return new Entrance.Full(false, "the route's forwards under way");
        }
        if (!replica.tryAcquire()) {
            ofRoute.release();
            ofClient.release();
            return new Entrance.Full(false, "this replica's forwards under way");
        }
        return new Entrance.Taken(new Place(ofClient, ofRoute, replica));
    }

    /// How many are taken on this replica.
    public int taken() {
        return replicaSize - replica.availablePermits();
    }
}
