package dev.latchkey.gateway;

import java.time.Duration;
import java.util.Random;

/// A way to the ledger that is slow, cut, or leaves open whether what was asked for was done, as the seed says; and on
/// which its replica may die, at any step.
final class SimulatedTrouble implements Faulty.Trouble {

    private final Stage stage;
    private final Random random;
    private final int percent;
    private final Duration late;
    private final Runnable fate;
    private boolean calm;
    private Duration awayUntil = Duration.ZERO;

    /// @param percent how many operations go wrong
    /// @param late how late a write may be done of which nobody hears
    /// @param fate run where the replica may die or stop
    SimulatedTrouble(Stage stage, Random random, int percent, Duration late, Runnable fate) {
        this.stage = stage;
        this.random = random;
        this.percent = percent;
        this.late = late;
        this.fate = fate;
    }

    void calmDown() {
        calm = true;
    }

    @Override
    public void before(String operation) {
        if (calm) {
            return;
        }
        takeTime();
        fate.run();
        if (random.nextInt(300) == 0) {
            awayUntil = stage.passed().plusSeconds(random.nextInt(40));
        }
        if (stage.passed().compareTo(awayUntil) < 0) {
            pause(random.nextBoolean() ? 10 : 2_000);
            throw new LedgerUnavailable("away", random.nextBoolean(), null);
        }
    }

    @Override
    public boolean now(String operation, Runnable write) {
        if (!chance(percent)) {
            return true;
        }
        if (random.nextBoolean()) {
            // Nobody hears of it, and it is committed in the end: a connection lost, its transaction still open.
            long millis = random.nextInt((int) late.toMillis());
            stage.execute(() -> {
                pause(millis);
                try {
                    write.run();
                } catch (LedgerUnavailable e) {
                    // Nobody hears that, either.
                }
            });
            fate.run();
        }
        return false;
    }

    @Override
    public void after(String operation) {
        fate.run();
        if (chance(percent)) {
            throw new LedgerUnavailable("acknowledgement lost", true, null);
        }
        takeTime();
    }

    @Override
    public void read(String operation) {
        takeTime();
        fate.run();
    }

    private void takeTime() {
        if (chance(2)) {
            pause(15_000);
        } else if (chance(30)) {
            pause(20);
        }
    }

    private boolean chance(int of100) {
        return !calm && random.nextInt(100) < of100;
    }

    private void pause(long millis) {
        if (calm) {
            return;
        }
        try {
            stage.sleep(Duration.ofMillis(random.nextLong(millis + 1)));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
