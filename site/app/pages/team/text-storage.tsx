import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type BodyDays, bodyDays } from '../../../../src/store/body-contract.ts'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { Tag } from '../../components/tag.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useMay } from '../../role.ts'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from '../settings/settings-part.tsx'
import { textStorageQuery } from './text-storage-query.ts'

/** Whether prompts and answers are stored, and for how long. Admins change it; everybody sees it. */
export const TextStorage = () => {
  const platform = usePlatform()
  const { team } = useWords()
  const may = useMay()
  const toast = useToast()
  const queryClient = useQueryClient()
  const { data } = useQuery(textStorageQuery(platform))
  const [chosen, setChosen] = useState<BodyDays | null | undefined>(undefined)
  const change = useMutation({
    mutationFn: (days: BodyDays | null) => platform.setBodyStorage({ body: { days } }),
    async onSuccess(_, days) {
      toast(days === null ? team.bodiesDropped : team.bodiesSaved(days))
      await queryClient.invalidateQueries({ queryKey: textStorageQuery(platform).queryKey })
      setChosen(undefined)
    },
  })
  if (data === undefined) return null
  const days = chosen === undefined ? data.days : chosen
  return (
    <SettingsPart title={team.bodies} text={team.bodiesText}>
      <p>
        <Tag state={data.days === null ? 'off' : 'warn'}>
          {data.days === null ? team.bodiesNotKept : team.bodiesKept(data.days)}
        </Tag>
      </p>
      {may('changeOrganisation') ? (
        <>
          <SelectField
            label={team.bodiesKeep}
            help={team.bodiesHelp}
            value={String(days ?? '')}
            options={[
              { value: '', text: team.bodiesOff },
              ...bodyDays.map((each) => ({ value: String(each), text: team.bodiesFor(each) })),
            ]}
            onChoose={(value) => setChosen(bodyDays.find((each) => String(each) === value) ?? null)}
          />
          <Button disabled={days === data.days} busy={change.isPending} onClick={() => change.mutate(days)}>
            {team.bodiesSave}
          </Button>
        </>
      ) : null}
      {change.isError ? <ErrorNotice error={change.error} title={team.bodiesNotSaved} /> : null}
    </SettingsPart>
  )
}
