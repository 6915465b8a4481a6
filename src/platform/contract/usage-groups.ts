/** In the order in which the site lists them. */
export const usageUnits = ['hour', 'day', 'month', 'total'] as const
export type UsageUnit = (typeof usageUnits)[number]

export const usageSeries = ['none', 'key', 'model', 'endpoint', 'person', 'status'] as const
export type UsageSeries = (typeof usageSeries)[number]

/** The most that can be asked for at once: more slots would not fit into a chart. */
export const maxDaysByUnit: Readonly<Record<UsageUnit, number>> = { hour: 31, day: 366, month: 3660, total: 3660 }
