package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByteBudgetTest {

    private final ByteBudget budget = new ByteBudget(100);

    @Test
    void refusesWhatWouldExceedTheWhole() {
        try (ByteBudget.Share one = budget.open();
                ByteBudget.Share other = budget.open()) {
            assertThat(one.grow(60)).isTrue();
            assertThat(other.grow(41)).isFalse();
            assertThat(other.grow(40)).isTrue();
            assertThat(budget.held()).isEqualTo(100);
        }
    }

    @Test
    void aRefusedShareTakesNothing() {
        try (ByteBudget.Share share = budget.open()) {
            assertThat(share.grow(101)).isFalse();
            assertThat(budget.held()).isZero();
        }
    }

    @Test
    void closingTwiceGivesBackOnce() {
        ByteBudget.Share other = budget.open();
        other.grow(10);
        ByteBudget.Share share = budget.open();
        share.grow(50);
        share.close();
        share.close();
        assertThat(budget.held()).isEqualTo(10);
        other.close();
    }
}
