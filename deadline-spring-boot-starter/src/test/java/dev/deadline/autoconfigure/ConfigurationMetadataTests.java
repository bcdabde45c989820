package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an editor shows for each key, as the build made it of the documentation of the settings. */
class ConfigurationMetadataTests {

    private static final Path METADATA = Path.of("target/classes/META-INF/spring-configuration-metadata.json");

    private final List<JsonNode> properties = read();

    @Test
    void hasTheKeysThatAreThere() {
        assertThat(this.properties)
                .extracting(ConfigurationMetadataTests::name)
                .contains("deadline.enabled", "deadline.mode", "deadline.budget", "deadline.reserve", "deadline.steps")
                .allMatch(name -> name.startsWith("deadline."));
    }

    @Test
    void describesEveryKeyInSentences() {
        assertThat(this.properties)
                .allSatisfy(property -> assertThat(description(property))
                        .as(name(property))
                        .matches("(?s)[A-Z].*\\.")
                        .doesNotMatch("(A|An|The) .*")
                        .doesNotContain("{@"));
    }

    @Test
    void describesSwitchesAsWhether() {
        assertThat(this.properties)
                .filteredOn(property -> property.path("type").asText().equals("java.lang.Boolean"))
                .isNotEmpty()
                .allSatisfy(property ->
                        assertThat(description(property)).as(name(property)).startsWith("Whether "));
    }

    @Test
    void statesADefaultOnceAtMost() {
        assertThat(this.properties)
                .filteredOn(property -> property.has("defaultValue"))
                .isNotEmpty()
                .allSatisfy(property ->
                        assertThat(description(property)).as(name(property)).doesNotContainIgnoringCase("default"));
    }

    @Test
    void namesEveryKeyOnceAndInOrder() {
        assertThat(this.properties)
                .extracting(ConfigurationMetadataTests::name)
                .doesNotHaveDuplicates()
                .isSorted();
    }

    private static String name(JsonNode property) {
        return property.path("name").asText();
    }

    private static String description(JsonNode property) {
        return property.path("description").asText();
    }

    private static List<JsonNode> read() {
        try {
            List<JsonNode> properties = new ArrayList<>();
            new ObjectMapper()
                    .readTree(Files.readString(METADATA))
                    .path("properties")
                    .forEach(properties::add);
            return properties;
        } catch (IOException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
