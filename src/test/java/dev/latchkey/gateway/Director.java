package dev.latchkey.gateway;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Holds every operation of every call until a test lets it go on, and knows whose it is. The operation itself is done on the
/// test's thread, so that a real database may be behind it.
final class Director {

    /// Whose thread this is, counted from one; 0: nobody's.
    private final ThreadLocal<Integer> whose = ThreadLocal.withInitial(() -> 0);
    private final List<Held> held = new ArrayList<>();

    /// Something that somebody waits to do.
    ///
    /// @param call whose; negative: nobody's
    /// @param name the operation's
    /// @param work does it
    /// @param result what its caller hears
    record Held(int call, String name, Work work, CompletableFuture<Optional<Object>> result) {

        /// Does it, and lets its caller hear.
        void go() {
            tell(done());
        }

        /// Does it, and nobody hears yet.
        @Nullable
        Object done() {
            try {
                return work.run();
            } catch (RuntimeException e) {
                fail(e);
                return null;
            }
        }

        void tell(@Nullable Object what) {
            result.complete(Optional.ofNullable(what));
        }

        void fail(RuntimeException why) {
            result.completeExceptionally(why);
        }
    }

    /// Whose thread this is; negative: nobody's.
    int owner() {
        return whose.get() - 1;
    }

    interface Work {
        @Nullable
        Object run();
    }

    /// Waits until the test lets this go on.
    @Nullable
    Object hold(String name, Work work) {
        Held mine = new Held(whose.get() - 1, name, work, new CompletableFuture<>());
        held.add(mine);
        try {
            return mine.result.get().orElse(null);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// What that call waits to do under one of these names, taken out; empty: nothing.
    Optional<Held> take(int call, String... names) {
        Optional<Held> found = held.stream()
                .filter(each -> each.call == call && Arrays.asList(names).contains(each.name))
                .findFirst();
        found.ifPresent(held::remove);
        return found;
    }

    /// Whatever anybody waits to do, taken out; empty: nothing.
    Optional<Held> takeAny() {
        return held.isEmpty() ? Optional.empty() : Optional.of(held.removeFirst());
    }

    /// The ledger as calls see it: each operation waits.
    Ledger ledger(Ledger real) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class},
                (proxy, method, arguments) -> hold(method.getName(), () -> call(real, method, arguments)));
    }

    private static @Nullable Object call(Ledger real, Method method, Object @Nullable [] arguments) {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            if (e.getTargetException() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Threads that stay whose they were when they were started.
    Executor threads(Executor stage) {
        return work -> {
            int owner = whose.get();
            stage.execute(() -> as(owner - 1, work));
        };
    }

    /// Does something as that call.
    void as(int call, Runnable work) {
        whose.set(call + 1);
        work.run();
    }
}
