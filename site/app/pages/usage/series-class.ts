const colours = 9

/** The colour of a series in the chart and beside its name. */
export const seriesClass = (index: number, id: string): string =>
  id === 'others' ? 'series-others' : `series-${index % colours}`
