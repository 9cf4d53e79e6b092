package dev.latchkey.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;

/// SIGTERM and SIGINT. A shutdown hook would not do: with one, the exit status is the signal's, and a second signal is
/// passed over. Reached by reflection, because the compiler warns of `sun.misc` and knows no way to be told not to; where
/// there is none, a shutdown hook it is.
final class OsSignals implements Signals {

    private static final List<String> NAMES = List.of("TERM", "INT");

    @Override
    public void onTermination(Runnable handler) {
        try {
            for (String name : NAMES) {
                handle(name, handler);
            }
        } catch (ReflectiveOperationException e) {
            Runtime.getRuntime().addShutdownHook(new Thread(handler, "shutdown"));
        }
    }

    private static void handle(String name, Runnable handler) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> listener = Class.forName("sun.misc.SignalHandler");
        InvocationHandler run = (proxy, method, arguments) -> {
            handler.run();
            return null;
        };
        Object proxy = Proxy.newProxyInstance(listener.getClassLoader(), new Class<?>[] {listener}, run);
        signal.getMethod("handle", signal, listener)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    }
}
