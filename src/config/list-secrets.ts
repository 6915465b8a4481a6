import { isRecord } from '../base/is-record.ts'
import { type Config, settingNames, settings } from './settings.ts'

/** Every secret of the settings, and the passwords in addresses. Nothing that is written elsewhere may contain them. */
export const listSecrets = (config: Config): string[] => [
  ...settingNames.flatMap((name) => {
    const value: unknown = config[name]
    if (!('secret' in settings[name])) return []
    return textsIn(value).flatMap((text) => [text, ...passwordsIn(text)])
  }),
  ...config.upstreams.flatMap(({ key }) => key ?? []),
]

/** Headers are several, and what follows `Bearer` is a secret by itself. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  const texts = isRecord(value) ? Object.values(value).filter((one) => typeof one === 'string') : []
  return texts.flatMap((text) => [text, ...text.split(' ').slice(1)]).filter((text) => text !== '')
}

/** Several addresses may be separated by commas. */
const passwordsIn = (value: string): string[] =>
  value.split(',').flatMap((address) => {
    const password = URL.parse(address.trim())?.password ?? ''
    return password === '' ? [] : [password, decoded(password)]
  })

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
