package dev.latchkey.testing;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Stops another JVM where a named method begins, from outside: the program under test has no hook for it. One thread.
public final class Debugger implements AutoCloseable {

    /// The option for Java that lets a debugger in, on a free port that the program prints.
    public static final String OPTION =
            "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";

    private static final Pattern LISTENING = Pattern.compile("Listening for transport dt_socket at address: (\\d+)");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final VirtualMachine machine;

    private Debugger(VirtualMachine machine) {
        this.machine = machine;
    }

    /// Whether a program says in this line where a debugger may attach.
    public static boolean isInvited(String line) {
        return LISTENING.matcher(line).find();
    }

    /// Attaches where that line says.
    public static Debugger attach(String line) {
        Matcher listening = LISTENING.matcher(line);
        if (!listening.find()) {
            throw new IllegalArgumentException("no debugger's port in: " + line);
        }
        AttachingConnector sockets = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(connector -> connector.name().equals("com.sun.jdi.SocketAttach")).findFirst().orElseThrow();
        Map<String, Connector.Argument> arguments = sockets.defaultArguments();
        Objects.requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
        Objects.requireNonNull(arguments.get("port")).setValue(listening.group(1));
        try {
            return new Debugger(sockets.attach(arguments));
        } catch (IOException | IllegalConnectorArgumentsException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Sets a trap at the first instruction of that method.
    ///
    /// @param visitors how many threads it takes: those who come first
    /// @throws AssertionError where no loaded class, or more than one method, has that name: a trap that cannot be
    ///     reached would make a test that cannot fail
    public Trap trap(String className, String method, int visitors) {
        List<ReferenceType> classes = machine.classesByName(className);
        if (classes.size() != 1) {
            throw new AssertionError(classes.size() + " loaded classes have the name " + className);
        }
        List<Method> methods = classes.getFirst().methodsByName(method).stream()
                .filter(m -> !m.isAbstract() && !m.isSynthetic()).toList();
        if (methods.size() != 1) {
            throw new AssertionError(methods.size() + " methods have the name " + className + "." + method);
        }
        BreakpointRequest request =
                machine.eventRequestManager().createBreakpointRequest(methods.getFirst().location());
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
        return new Trap(request, visitors);
    }

    /// A method at which the whole program stops.
    public final class Trap {
        private final BreakpointRequest request;
        private final int visitors;
        private final List<EventSet> held = new ArrayList<>();

        private Trap(BreakpointRequest request, int visitors) {
            this.request = request;
            this.visitors = visitors;
        }

        /// Waits until every visitor stands there, then stops all other threads where they happen to be.
        ///
        /// @throws AssertionError where they do not come
        public void awaitHit() {
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            try {
                while (held.size() < visitors) {
                    EventSet events = machine.eventQueue().remove(1_000);
                    if (events != null && holds(events)) {
                        held.add(events);
                    } else if (events != null) {
                        events.resume();
                    } else if (System.nanoTime() > deadline) {
                        throw new AssertionError(held.size() + " came to " + request.location().method());
                    }
                }
                machine.suspend();
            } catch (VMDisconnectedException e) {
                throw new AssertionError("the program ended before " + request.location().method(), e);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        /// Lets everybody go on, and takes the trap away.
        public void release() {
            request.disable();
            held.forEach(EventSet::resume);
            machine.resume();
        }

        private boolean holds(EventSet events) {
            for (Event event : events) {
                if (event instanceof BreakpointEvent hit && request.equals(hit.request())) {
                    return true;
                }
            }
            return false;
        }
    }

    /// Lets the program go on without a debugger; one that was killed is gone already.
    @Override
    public void close() {
        try {
            machine.dispose();
        } catch (VMDisconnectedException _) {
            // it was killed where it stood
        }
    }
}
