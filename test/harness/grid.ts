/**
 * `.ci/run` sets `TEST_GRID=full`. Without it, long tests are shorter: properties are tried a quarter as often, and load tests try one
 * of several equal ways.
 */
export const isFullGrid = process.env.TEST_GRID === 'full'

/** How often a property is tried. */
export const gridRuns = (full: number): number => (isFullGrid ? full : Math.ceil(full / 4))
