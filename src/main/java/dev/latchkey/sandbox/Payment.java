package dev.latchkey.sandbox;

import java.math.BigDecimal;

/// A payment as the sandbox shows it. Immutable.
///
/// @param amount   the number as it was sent, digit for digit
/// @param currency three upper-case letters
record Payment(String id, BigDecimal amount, String currency, String status) {}
