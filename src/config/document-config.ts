import { fileVariable } from './secret-file.ts'
import {
  environmentName,
  flagName,
  flagSettingNames,
  type SettingGroup,
  type SettingName,
  settingGroups,
  settingNames,
  settings,
} from './settings.ts'

/** For people. */
export const describeDefault = (name: SettingName): string => {
  const setting = settings[name]
  if ('defaultText' in setting) return setting.defaultText
  const value = Array.isArray(setting.default) ? setting.default.join(',') : setting.default
  return value === null || value === '' ? 'not set' : `\`${value}\``
}

/** The words of the document in one language (`settings.ts` in its folder). What is read from the table of settings is English. */
type DocumentWords = {
  /** What stands before the tables. */
  head: string
  /** The headings. Other documents and the search lead to those in English. */
  groups: Readonly<Record<SettingGroup, string>>
  columns: readonly string[]
  /** Between the names of two variables. */
  or: string
  noOption: string
  restart: Readonly<Record<'needed' | 'notNeeded', string>>
  /** A kind or a default. */
  value(english: string): string
  description(name: SettingName, english: string): string
}

/** The text of `docs/config.md`, or of its translation: a table for each group. */
export const documentConfig = (words: DocumentWords): string => {
  const groups = groupNames.map((group) => {
    const names = settingNames.filter((name) => name in settingGroups[group])
    return `## ${words.groups[group]}\n\n${tableOf(names, words)}`
  })
  return `${[words.head, example, ...groups].join('\n\n')}\n`
}

const groupNames = Object.keys(settingGroups).filter((name): name is SettingGroup => name in settingGroups)

const tableOf = (names: readonly SettingName[], words: DocumentWords): string => {
  const rows = names.map((name) => {
    const setting = settings[name]
    const variable = environmentName(name)
    const variables =
      'secret' in setting ? `\`${variable}\`${words.or}\`${fileVariable(variable)}\`` : `\`${variable}\``
    return [
      `\`${name}\``,
      variables,
      flagSettingNames.includes(name) ? `\`--${flagName(name)}\`` : words.noOption,
      words.value(setting.kind),
      words.value(describeDefault(name)),
      words.restart['editedIn' in setting ? 'notNeeded' : 'needed'],
      words.description(name, setting.text),
    ]
  })
  const table = [words.columns, words.columns.map(() => '---'), ...rows]
  return table.map((cells, index) => (index === 1 ? `|${cells.join('|')}|` : `| ${cells.join(' | ')} |`)).join('\n')
}

const example = `\`\`\`json
{ "port": 9000, "dataDir": "/var/lib/helix", "trustedProxies": ["10.0.0.0/8"] }
\`\`\``
