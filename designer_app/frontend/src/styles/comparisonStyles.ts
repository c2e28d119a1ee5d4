/** Styles of the comparison of pipelines, loaded with it. */

import comparison from "./comparison.css?inline";

export const comparisonStyles = comparison;
