/** What a release is made for. `debian` is Debian's name of the processor. */
export const platforms = [
  { name: 'linux-x64', cpu: 'x64', debian: 'amd64' },
  { name: 'linux-arm64', cpu: 'arm64', debian: 'arm64' },
] as const

export type Platform = (typeof platforms)[number]
