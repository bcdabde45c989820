package dev.deadline.servlet;

import java.util.List;
import java.util.Set;

/**
 * A budget for some of the paths.
 *
 * @param paths patterns, relative to the application
 * @param methods HTTP methods in any case; none for all of them; GET stands for HEAD too
 */
public record BudgetRoute(List<String> paths, Set<String> methods, RequestBudget budget) {}
