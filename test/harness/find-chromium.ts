import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The path of the browser; null if there is none. As root, installs Debian's own: the headless build, which opens a
 * page in half the time, and a Japanese typeface, without which checks and screenshots would show empty boxes.
 */
export const findChromium = (): string | null => {
  const found = lookUp()
  const apt = onPath('apt-get')
  if (found !== null || process.getuid?.() !== 0 || apt === null) return found
  try {
    const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
    execFileSync(apt, ['update'], quiet)
    execFileSync(
      apt,
      ['install', '--yes', '--no-install-recommends', 'chromium-headless-shell', 'fonts-noto-cjk'],
      quiet,
    )
  } catch {
    // No network, or not Debian after all: the caller reports the missing browser.
  }
  return lookUp()
}

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const lookUp = (): string | null => {
  const { CHROME_PATH: told } = process.env
  if (told !== undefined && told !== '') return existsSync(told) ? told : null
  for (const name of names) {
    const found = onPath(name)
    if (found !== null) return found
  }
  return null
}

const onPath = (name: string): string | null => {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}
