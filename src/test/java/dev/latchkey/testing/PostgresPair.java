package dev.latchkey.testing;

import dev.latchkey.postgres.TestPrograms;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Two real PostgreSQL servers, the second one the synchronous standby of the first: what the first one acknowledges, the
/// second one has. A spare may follow the second one: it becomes its synchronous standby when that is promoted, as with
/// three machines. Made of the embedded programs alone, which have no pg_basebackup: the standby begins as a copy of the
/// primary's files from before its first start. Not for several threads.
public final class PostgresPair implements AutoCloseable {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final PostgresNode primary;
    private final PostgresNode standby;
    private final List<PostgresNode> all = new ArrayList<>();

    private PostgresPair(PostgresNode primary, PostgresNode standby) {
        this.primary = primary;
        this.standby = standby;
        all.add(primary);
        all.add(standby);
    }

    /// Starts primary and standby.
    public static PostgresPair start(Path folder) {
        return start(folder, false);
    }

    /// Starts primary, standby and spare.
    public static PostgresPair startWithSpare(Path folder) {
        return start(folder, true);
    }

    private static PostgresPair start(Path folder, boolean spared) {
        PostgresNode primary = PostgresNode.make(TestPrograms.unpacked(), folder.resolve("primary"));
        PostgresNode standby = primary.copy(folder.resolve("standby"));
        PostgresNode spare = spared ? primary.copy(folder.resolve("spare")) : null;
        PostgresPair pair = new PostgresPair(primary, standby);
        try {
            primary.set("synchronous_standby_names = 'FIRST 1 (sb)'");
            primary.start();
            standby.follow(primary, "sb");
            standby.start();
            if (spare != null) {
                standby.reload("synchronous_standby_names = 'FIRST 1 (spare)'");
                spare.follow(standby, "spare");
                pair.all.add(spare);
                spare.start();
            }
            primary.awaitStandby();
        } catch (RuntimeException e) {
            pair.close();
            throw e;
        }
        return pair;
    }

    /// The one that was the primary first.
    public PostgresNode primary() {
        return primary;
    }

    /// The one that was the standby first.
    public PostgresNode standby() {
        return standby;
    }

    /// Stops the standby and waits until the primary knows.
    public void stopStandby() {
        standby.stop();
        primary.awaitNoStandby();
    }

    /// Starts the standby unless it runs, and waits until it has all that the primary has.
    public void startStandby() {
        if (!standby.isStarted()) {
            standby.start();
        }
        primary.awaitStandby();
    }

    /// Changes their parts as planned: nothing is lost, and the former primary follows the other one from then on.
    public void switchOver() {
        primary.stop();
        standby.promote();
        primary.follow(standby, "former");
        primary.start();
    }

    /// Makes an empty database on the first primary and gives its name.
    public String newDatabase() {
        String name = "pair_" + NAMES.incrementAndGet();
        primary.execute("create database " + name);
        return name;
    }

    /// How to reach a database whichever of the two is the primary, user in it.
    public String url(String database) {
        return "jdbc:postgresql://" + primary.address() + "," + standby.address() + "/" + database + "?user=postgres";
    }

    /// Ends all of them, frozen or not.
    @Override
    public void close() {
        all.forEach(PostgresNode::close);
    }
}
