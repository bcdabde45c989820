package dev.deadline.sample.home;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.deadline.sample.home.CatalogService.Item;
import dev.deadline.sample.home.GeoService.Location;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the visitor sees. */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record HomePage(
        String user,
        Map<String, Boolean> flags,
        Optional<Location> geo,
        List<Item> catalog,
        List<String> recommendations) {}
