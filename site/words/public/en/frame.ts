export const frame = {
  noScript: 'This page needs JavaScript. The documentation and the API do not.',
} as const
