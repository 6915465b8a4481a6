import type { JsonPath } from './json-positions.ts'
import { collecting, SettingError, throwProblems } from './setting-error.ts'
import { type SettingName, settings } from './settings.ts'

/** The value of a setting, wherever it was set. `where` names the place of a part of it by its path, for errors. */
export const readSetting = (name: SettingName, value: unknown, where: (path: JsonPath) => string): unknown => {
  const setting = settings[name]
  const problems: SettingError[] = []
  const read = collecting(problems, () => [setting.read(value)])
  throwProblems(
    problems.map(({ message, path }) => {
      const isShown = !('secret' in setting) && path.length === 0
      const shown = isShown ? `, not ${withoutPasswords(JSON.stringify(value))}` : ''
      return new SettingError(`${where(path)}: ${message}${shown}`, path)
    }),
  )
  return read?.[0]
}

/** A URL may contain a user name and password, and error messages appear in logs. */
const withoutPasswords = (text: string): string => text.replace(/\/\/[^/]*@/g, '//…@')
