package dev.latchkey.gateway;

import java.time.Duration;
import java.util.Random;

/// A ledger that is slow, away, or leaves open whether it did what it was asked to, as the seed says.
final class SimulatedTrouble implements Faulty.Trouble {

    private final Stage stage;
    private final Random random;
    private final int percent;
    private boolean calm;
    private Duration awayUntil = Duration.ZERO;

    /// @param percent how many operations go wrong
    SimulatedTrouble(Stage stage, Random random, int percent) {
        this.stage = stage;
        this.random = random;
        this.percent = percent;
    }

    void calmDown() {
        calm = true;
    }

    @Override
    public void before(String operation) {
        if (calm) {
            return;
        }
        pause(chance(3) ? 15_000 : 20);
        if (chance(1)) {
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
            long millis = random.nextInt(30_000);
            stage.execute(() -> {
                pause(millis);
                write.run();
            });
        }
        return false;
    }

    @Override
    public void after(String operation) {
        if (chance(percent)) {
            throw new LedgerUnavailable("acknowledgement lost", true, null);
        }
        pause(chance(3) ? 15_000 : 20);
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
