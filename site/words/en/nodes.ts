export const nodes = {
  lede: (count: number) => (count === 1 ? 'One node.' : `${count} nodes.`),
  single: 'It uses its database alone.',
  versions: (count: number) => `They run ${count} different versions.`,
  caption: 'Servers that share the database',
  notLoaded: 'The list of nodes did not load.',
  own: 'This node',
  running: 'Running',
  silent: 'Silent',
  seen: (duration: string) => `Last seen ${duration} ago`,
  version: 'Version',
  since: (moment: string) => `Up since ${moment}`,
  busy: 'Main thread busy',
} as const
