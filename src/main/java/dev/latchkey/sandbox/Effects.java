package dev.latchkey.sandbox;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All that the sandbox did, newest first to stay: it remembers a bounded number of effects and forgets the oldest, the
/// payment and its key with it. Safe for any number of threads; an effect and the look for its key are one step.
///
/// An effect is counted under the key it was sent, or under `sha256:` and the digest of its body where no key came.
final class Effects {

    /// How often each remembered effect happened, by the key it was sent.
    ///
    /// @param total     effects since the start, forgotten ones too
    /// @param forgotten those that the two maps no longer hold
    record Tally(Map<String, Integer> payments, Map<String, Integer> notifications, long total, long forgotten) {}

    private record Effect(Map<String, Integer> tally, String name, Optional<Payment> payment) {}

    private final int most;
    private final SecureRandom random = new SecureRandom();
    private final Deque<Effect> effects = new ArrayDeque<>();
    private final Map<String, Integer> payments = new LinkedHashMap<>();
    private final Map<String, Integer> notifications = new LinkedHashMap<>();
    private final Map<String, Payment> byId = new LinkedHashMap<>();
    private final Map<String, Payment> byKey = new LinkedHashMap<>();
    private long total;

    /// @param most how many effects are remembered
    Effects(int most) {
        this.most = most;
    }

    /// Pays, unless that key has paid before: then it is the payment made then.
    synchronized Payment pay(Optional<String> key, byte[] body, PaymentOrder order) {
        Optional<Payment> before = key.map(byKey::get);
        if (before.isPresent()) {
            return before.get();
        }
        Payment payment = new Payment(newId("pay_"), order.amount(), order.currency(), "succeeded");
        byId.put(payment.id(), payment);
        key.ifPresent(name -> byKey.put(name, payment));
        happened(new Effect(payments, key.orElseGet(() -> digest(body)), Optional.of(payment)));
        return payment;
    }

    /// Notifies, every time.
    ///
    /// @return the notification's id
    synchronized String notification(Optional<String> key, byte[] body) {
        happened(new Effect(notifications, key.orElseGet(() -> digest(body)), Optional.empty()));
        return newId("ntf_");
    }

    synchronized Optional<Payment> payment(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    synchronized List<Payment> paymentsOf(String key) {
        return Optional.ofNullable(byKey.get(key)).stream().toList();
    }

    /// The newest payments, newest first.
    synchronized List<Payment> newestPayments(int atMost) {
        return effects.stream()
                .flatMap(effect -> effect.payment().stream())
                .limit(atMost)
                .toList();
    }

    synchronized Tally tally() {
        return new Tally(
                new LinkedHashMap<>(payments), new LinkedHashMap<>(notifications), total, total - effects.size());
    }

    private void happened(Effect effect) {
        total++;
        effects.addFirst(effect);
        effect.tally().merge(effect.name(), 1, Integer::sum);
        if (effects.size() > most) {
            forget(effects.removeLast());
        }
    }

    private void forget(Effect effect) {
        effect.tally().computeIfPresent(effect.name(), (name, times) -> times == 1 ? null : times - 1);
        effect.payment().ifPresent(payment -> {
            byId.remove(payment.id());
            byKey.remove(effect.name(), payment);
        });
    }

    private String newId(String prefix) {
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        return prefix + HexFormat.of().formatHex(bytes);
    }

    private static String digest(byte[] body) {
        try {
            return "sha256:"
                    + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
