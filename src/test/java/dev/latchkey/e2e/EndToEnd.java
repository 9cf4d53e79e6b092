package dev.latchkey.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// A suite that calls the shared gateways: its constructor may take the [World], which lives until the last suite ends.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(EndToEnd.SharedWorld.class)
@interface EndToEnd {

    /// Makes the world for the first suite that wants it.
    final class SharedWorld implements ParameterResolver {

        private static final ExtensionContext.Namespace HERE = ExtensionContext.Namespace.create(World.class);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == World.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot().getStore(HERE).computeIfAbsent(World.class, _ -> new World(), World.class);
        }
    }
}
