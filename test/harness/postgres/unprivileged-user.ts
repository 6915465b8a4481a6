import { execFileSync } from 'node:child_process'

/** `initdb` refuses to run as root. */
export const unprivilegedUser = (): { uid: number; gid: number } | null => {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    try {
      const idOf = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
      return { uid: idOf('-u'), gid: idOf('-g') }
    } catch {
      // There is no such user.
    }
  }
  return null
}
