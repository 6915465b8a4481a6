/** What a release is made for. `debian` is Debian's name of the processor. */
export const platforms = [
  { name: 'linux-x64', os: 'linux', cpu: 'x64', debian: 'amd64' },
  { name: 'linux-arm64', os: 'linux', cpu: 'arm64', debian: 'arm64' },
] as const

/** For these there are only packages of npm with llama.cpp: nobody has run them yet, and there is no package with Node. */
export const macPlatforms = [
  { name: 'darwin-arm64', os: 'darwin', cpu: 'arm64' },
  { name: 'darwin-x64', os: 'darwin', cpu: 'x64' },
] as const

export type LinuxPlatform = (typeof platforms)[number]
export type Platform = LinuxPlatform | (typeof macPlatforms)[number]
