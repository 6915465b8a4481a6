/** Over which figures of upstreams are shown. Pages import it too, so it imports nothing. */
export const upstreamPeriods = ['day', 'week', 'month'] as const
export type UpstreamPeriod = (typeof upstreamPeriods)[number]
