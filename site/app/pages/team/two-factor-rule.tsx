import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Tag } from '../../components/tag.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useMay } from '../../role.ts'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from '../settings/settings-part.tsx'

export const rulesQuery = (platform: Platform) =>
  queryOptions({ queryKey: ['organisation-rules'], queryFn: ({ signal }) => platform.showRules({ signal }) })

/** Whether the organisation's members need a second factor. Owners change it; everybody sees it. */
export const TwoFactorRule = () => {
  const platform = usePlatform()
  const { team } = useWords()
  const may = useMay()
  const toast = useToast()
  const queryClient = useQueryClient()
  const { data: rules } = useQuery(rulesQuery(platform))
  const change = useMutation({
    mutationFn: (secondFactorRequired: boolean) => platform.changeRules({ body: { secondFactorRequired } }),
    async onSuccess(_, isRequired) {
      toast(isRequired ? team.ruleSwitchedOn : team.ruleSwitchedOff)
      await queryClient.invalidateQueries({ queryKey: rulesQuery(platform).queryKey })
    },
  })
  if (rules === undefined) return null
  const isOn = rules.secondFactorRequired
  const needsOwn = change.error instanceof PlatformError && change.error.code === 'second_factor_needed'
  return (
    <SettingsPart title={team.rule} text={team.ruleText}>
      <p className="status-line">
        <Tag state={isOn ? 'ok' : 'off'}>{isOn ? team.ruleOn : team.ruleOff}</Tag>
        <span className="muted small">{team.membersWithout(rules.membersWithout)}</span>
      </p>
      {may('changeRules') ? (
        <Button busy={change.isPending} onClick={() => change.mutate(!isOn)}>
          {isOn ? team.ruleSwitchOff : team.ruleSwitchOn}
        </Button>
      ) : null}
      {change.isError ? <ErrorNotice error={change.error} text={needsOwn ? team.ruleNeedsOwn : undefined} /> : null}
    </SettingsPart>
  )
}
