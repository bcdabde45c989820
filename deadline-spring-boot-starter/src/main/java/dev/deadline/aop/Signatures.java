package dev.deadline.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;

/** Methods as people write them. */
final class Signatures {

    private Signatures() {}

    /** Where a method is: {@code com.example.GeoService.geo(String)}. */
    static String place(Method method) {
        StringJoiner types = new StringJoiner(", ", "(", ")");
        for (Type type : method.getGenericParameterTypes()) {
            types.add(simple(type));
        }
        return method.getDeclaringClass().getName() + "." + method.getName() + types;
    }

    /** As declared: {@code Geo geo(String address)}. */
    static String declaration(Method method) {
        return declaration(method, method.getName(), List.of());
    }

    /** That of another method with the same parameters and result, under a new name and with parameters added. */
    static String declaration(Method method, String name, List<String> added) {
        Stream<String> own = Arrays.stream(method.getParameters())
                .map(parameter -> simple(parameter.getParameterizedType()) + " " + parameter.getName());
        return simple(method.getGenericReturnType()) + " " + name + "("
                + String.join(", ", Stream.concat(own, added.stream()).toList()) + ")";
    }

    private static String simple(Type type) {
        return type.getTypeName().replaceAll("[A-Za-z0-9_.]*[.$]", "");
    }
}
