import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { SettingError } from './setting-error.ts'
import { environmentName, settingNames, settings } from './settings.ts'

type Variables = Readonly<Record<string, string | undefined>>
type Found = { value: string /** What messages call it; never the value itself. */; where: string }

/** The variable that names a file with the value of another variable, as orchestrators provide secrets. */
export const fileVariable = (variable: string): string => `${variable}_FILE`

/** The variables of all settings; those of secrets also by file. */
export const settingVariables: readonly string[] = settingNames.flatMap((name) => {
  const variable = environmentName(name)
  return 'secret' in settings[name] ? [variable, fileVariable(variable)] : [variable]
})

/** The value of a variable with a secret, itself or from the file that `…_FILE` names. Null if neither is set; empty is not set. */
export const findSecret = (variables: Variables, variable: string): Found | null => {
  const named = fileVariable(variable)
  const [value = '', file = ''] = [variables[variable], variables[named]]
  if (value !== '' && file !== '') throw new SettingError(`${variable} and ${named} are both set: remove one of them`)
  if (file === '') return value === '' ? null : { value, where: variable }
  return { value: readSecretFile(file, named), where: `${named} (${file})` }
}

/** Editors and `echo` end a file with a line break, which is not part of the secret. */
const readSecretFile = (file: string, named: string): string => {
  try {
    return readFileSync(resolve(file), 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new SettingError(`${named}: ${file} ${reasons[code] ?? 'cannot be read'}`)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read: permission denied',
  EISDIR: 'is a directory',
}
