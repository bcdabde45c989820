package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.deadline.autoconfigure.DeadlineProperties.Gateway.RateLimit.Rule;
import dev.deadline.autoconfigure.DeadlineProperties.Route;
import dev.deadline.autoconfigure.DeadlineProperties.StepProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ConfigurationPageTests {

    private static final Pattern ROW = Pattern.compile("^\\| `(deadline\\.[^`]+)` \\|", Pattern.MULTILINE);

    @Test
    void describesEveryKeyAndNoOther() throws IOException {
        String page = Files.readString(Path.of("../docs/configuration.md"));
        List<String> described =
                ROW.matcher(page).results().map(row -> row.group(1)).toList();

        assertThat(described).containsExactlyInAnyOrderElementsOf(keys());
    }

    private static List<String> keys() throws IOException {
        List<String> keys = new ArrayList<>();
        JsonNode metadata = new ObjectMapper()
                .readTree(DeadlineProperties.class.getResource("/META-INF/spring-configuration-metadata.json"));
        metadata.get("properties")
                .forEach(property -> keys.add(property.get("name").asText()));
        keys.addAll(components("deadline.routes[].", Route.class));
        keys.addAll(components("deadline.gateway.rate-limit.rules[].", Rule.class));
        keys.addAll(components("deadline.steps.<name>.", StepProperties.class));
        return keys;
    }

    // Of elements of lists and maps the metadata says nothing.
    private static List<String> components(String prefix, Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(component -> prefix + component.getName())
                .toList();
    }
}
