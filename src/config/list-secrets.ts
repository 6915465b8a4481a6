import { type Config, settingNames, settings } from './settings.ts'

/** Every secret of the settings, and the passwords in addresses. Nothing that is written elsewhere may contain them. */
export const listSecrets = (config: Config): string[] => [
  ...settingNames.flatMap((name) => {
    const value: unknown = config[name]
    return 'secret' in settings[name] && typeof value === 'string' ? [value, ...passwordsIn(value)] : []
  }),
  ...config.upstreams.flatMap(({ key }) => key ?? []),
]

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
