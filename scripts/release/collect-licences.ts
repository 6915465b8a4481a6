import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReleasePackage } from './list-packages.ts'

const licenceFile = /^(licen[cs]e|copying|notice)/i

/** The licence texts of all packages, one after the other. Some packages have none and only name their licence. */
export const collectLicences = (
  packages: readonly ReleasePackage[],
  folderOf: (each: ReleasePackage) => string,
): string =>
  packages
    .map((each) => {
      const folder = folderOf(each)
      const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
      const texts = files
        .map(({ name }) => name)
        .filter((name) => licenceFile.test(name))
        .sort()
        .map((name) => readFileSync(join(folder, name), 'utf8').trim())
      const title = `${each.name} ${each.version} (${each.license})`
      const text = texts.length > 0 ? texts.join('\n\n') : 'The package contains no licence text.'
      return `${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${text}\n`
    })
    .join('\n')
