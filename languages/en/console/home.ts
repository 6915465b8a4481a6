/** Null: there were none. */
type Summary = { isOne: boolean; cost: string | null; failed: string | null; rejected: string | null }

export const home = {
  lede: (requests: string, isOne: boolean) => `${requests} ${isOne ? 'request' : 'requests'} in the last 30 days.`,
  none: 'No requests in the last 30 days.',
  summary: ({ isOne, cost, failed, rejected }: Summary) =>
    [
      ...(cost === null ? [] : [`${isOne ? 'It' : 'They'} cost ${cost}.`]),
      ...(failed === null ? [] : [`${failed} failed.`]),
      ...(rejected === null ? [] : [`${rejected} more ${rejected === '1' ? 'was' : 'were'} rejected.`]),
    ].join(' '),
  notLoaded: 'This part did not load.',
  usageTitle: 'Last 30 days',
  toUsage: 'All figures',
  limitsTitle: 'Limits',
  toLimits: 'All limits',
  noLimits: 'No limits are set for this organisation or its keys.',
  problemsTitle: 'Latest problems',
  toFailed: 'All failed requests',
  toRejected: 'All rejected requests',
  noProblems: 'No request has failed or been rejected.',
} as const
