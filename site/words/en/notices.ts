export const notices = {
  title: 'Notices',
  text: 'Shown above every page. Your choice is saved in this browser.',
  dismiss: 'Dismiss this notice',
  kinds: {
    budget: 'A budget is 80% used, or used up',
    expiry: 'A key expires within seven days',
    engine: 'A model or an upstream is down',
    configuration: 'The settings file has changed',
  },
  budget: (key: string | null, limit: string, percent: number, resets: string) =>
    `${key === null ? 'Your organisation' : `Key ${key}`} has used ${percent}% of its budget (${limit.toLowerCase()}). It resets on ${resets}.`,
  expiry: (key: string, when: string) => `Key ${key} expires on ${when}.`,
  engine: (model: string) => `The model ${model} is not available. Requests to it fail.`,
  upstream: (name: string) => `The upstream ${name} does not answer as it should.`,
  configuration: 'The settings file has changed since the server started. Restart the server to apply it.',
  showKey: 'Show key',
  showUpstreams: 'Show upstreams',
} as const
