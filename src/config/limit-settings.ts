import { recordFrom } from '../base/record-from.ts'
import { type LimitName, limitKinds, limitNames } from './limit-kinds.ts'
import { amountLimit, limit, organisationLimit, type Setting } from './setting.ts'

type Kinds = typeof limitKinds

type ServerSettings = { [Name in LimitName as Kinds[Name]['setting']]: Setting<number> }

/** Null if the operator sets no value: the default then depends on the organisation. */
type OrganisationSettings = {
  [Name in LimitName as OrganisationSetting<Name>]: Setting<
    Kinds[Name]['newOrganisation'] extends number ? number | null : number
  >
}
type OrganisationSetting<Name extends LimitName> = `organisation${Capitalize<Kinds[Name]['setting']>}`

/** The setting with an organisation's default of a limit. Sound because it writes what the type says. */
export const organisationSetting = <Name extends LimitName>(name: Name): OrganisationSetting<Name> =>
  `organisation${capitalize(limitKinds[name].setting)}` as OrganisationSetting<Name>

const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const createServerSetting = (name: LimitName): Setting<number> => {
  const { unit, text } = limitKinds[name]
  return (unit === 'money' ? amountLimit : limit)({ text: `${text} for all organisations combined.` })
}

const createOrganisationSetting = (name: LimitName): Setting<number> | Setting<number | null> => {
  const { unit, text, newOrganisation } = limitKinds[name]
  const own = 'The server owner can set a different limit for each organisation.'
  const all = `Default ${text.charAt(0).toLowerCase()}${text.slice(1)} for an organisation.`
  const described = { text: name === limitNames[0] ? `${all} ${own}` : all }
  if (newOrganisation !== null) return organisationLimit({ ...described, usual: newOrganisation })
  return (unit === 'money' ? amountLimit : limit)(described)
}

type LimitSettings = ServerSettings & OrganisationSettings
export type LimitSettingName = keyof LimitSettings

/** True of `limitSettings`: each limit gets one of each, of the type that its row says. */
const asLimitSettings = (settings: Record<LimitSettingName, Setting<number> | Setting<number | null>>): LimitSettings =>
  settings as LimitSettings

/** Of all limits, for `settings.ts`. */
export const limitSettings = asLimitSettings({
  ...recordFrom(limitNames.map((name) => [limitKinds[name].setting, createServerSetting(name)])),
  ...recordFrom(limitNames.map((name) => [organisationSetting(name), createOrganisationSetting(name)])),
})
