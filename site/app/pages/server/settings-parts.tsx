import { limitKinds, limitNames } from '../../../../src/config/limit-kinds.ts'
import { newOrganisationLimits } from '../../../../src/config/new-organisation-limits.ts'
import type { ConfigurationShown, ShownSetting } from '../../../../src/platform/contract/server.ts'
import { useWords } from '../../admin-words-context.tsx'
import { SettingsPart } from '../settings/settings-part.tsx'
import { MailTrial } from './mail-trial.tsx'
import { PricesForm } from './prices-form.tsx'
import { SettingsForm, type ShowField } from './settings-form.tsx'

/** What the owner changes while the server runs. */
export const SettingsParts = ({ configuration: { data } }: { configuration: ConfigurationShown }) => {
  const { server } = useWords()
  const part = (name: ShownSetting['editedIn']): ShownSetting[] => data.filter(({ editedIn }) => editedIn === name)
  const signUps = (['open', 'invitation', 'closed'] as const).map((value) => ({ value, text: server.signUps[value] }))
  const plain = (field: ShowField, names: readonly (keyof typeof server.fields)[]) =>
    names.map((name) => field(name, server.fields[name]))
  const prices = data.find(({ name }) => name === 'prices')
  return (
    <>
      <SettingsPart title={server.signUp} text={server.signUpText}>
        <SettingsForm
          settings={part('signUp')}
          consequence={({ signUp }) => (signUp === 'closed' ? server.closedConsequence : null)}
        >
          {(field) => (
            <>
              {field('signUp', { ...server.fields.signUp, options: signUps })}
              {plain(field, ['signUpsPerHour', 'organisationsPerAccount'])}
            </>
          )}
        </SettingsForm>
      </SettingsPart>
      <SettingsPart id="mail" title={server.mail} text={server.mailText}>
        <SettingsForm settings={part('mail')} extra={(changes) => <MailTrial changes={changes} />}>
          {(field) => (
            <>
              {field('smtpUrl', {
                ...server.fields.smtpUrl,
                placeholder: data.some(({ name, isSet }) => name === 'smtpUrl' && isSet)
                  ? server.keepSecret
                  : undefined,
              })}
              {plain(field, ['mailFrom'])}
            </>
          )}
        </SettingsForm>
      </SettingsPart>
      {prices === undefined ? null : (
        <SettingsPart title={server.prices} text={server.pricesText}>
          <PricesForm setting={prices} />
        </SettingsPart>
      )}
      <LimitsPart settings={part('limits')} />
      <SettingsPart title={server.retention} text={server.retentionText}>
        <SettingsForm settings={part('retention')}>
          {(field) =>
            plain(field, [
              'ledgerRetentionDays',
              'auditRetentionDays',
              'webhookRetentionDays',
              'replayRetentionHours',
              'cacheRetentionHours',
            ])
          }
        </SettingsForm>
      </SettingsPart>
    </>
  )
}

const LimitsPart = ({ settings }: { settings: readonly ShownSetting[] }) => {
  const { server, limits } = useWords()
  const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return (
    <SettingsPart id="limits" title={server.limits} text={server.limitsText}>
      <SettingsForm settings={settings}>
        {(field) => (
          <>
            <fieldset className="limit-grid">
              <legend>{server.limitsOfOrganisations}</legend>
              {limitNames.map((name) =>
                field(`organisation${capital(limitKinds[name].setting)}`, {
                  label: limits.kinds[name].name,
                  placeholder: newOrganisationLimits[name]?.toString(),
                }),
              )}
              {field('organisationRefusedRequestsPerMinute', { label: server.refusedPerMinute })}
            </fieldset>
            <fieldset className="limit-grid">
              <legend>{server.limitsOfServer}</legend>
              {limitNames.map((name) => field(limitKinds[name].setting, { label: limits.kinds[name].name }))}
            </fieldset>
            <fieldset className="limit-grid">
              <legend>{server.limitsOfKeys}</legend>
              {field('refusedRequestsPerMinute', { label: server.refusedPerMinute })}
            </fieldset>
          </>
        )}
      </SettingsForm>
    </SettingsPart>
  )
}
