import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedModel } from '../../../../src/platform/contract/models.ts'
import { useLocale, useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { DialogForm } from '../../components/dialog-form.tsx'
import { Field } from '../../components/field.tsx'
import { useToast } from '../../components/toasts.tsx'
import { wholeText } from '../../figures.ts'
import { ModelError } from './model-error.tsx'
import { useRefreshModels } from './use-refresh-models.ts'

const numberText = (value: number | null | undefined): string => (value == null ? '' : String(value))
const readNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text))

const fieldNames = ['contextTokens', 'slots', 'gpuLayers'] as const
type FieldName = (typeof fieldNames)[number]

/** The settings of one model. Aliases apply at once; the rest loads the model again. */
export const ModelForm = ({ model, onClose }: { model: ListedModel; onClose(): void }) => {
  const { language } = useLocale()
  const { models } = useWords()
  const platform = usePlatform()
  const toast = useToast()
  const refresh = useRefreshModels()
  const { id: name, installed } = model
  const own = installed?.own
  const [aliases, setAliases] = useState(model.aliases.join(', '))
  const [contextTokens, setContext] = useState(numberText(own?.contextTokens))
  const [slots, setSlots] = useState(numberText(own?.slots))
  const [gpuLayers, setLayers] = useState(numberText(own?.gpuLayers))
  const [isChecked, setChecked] = useState(false)
  const numbers = {
    contextTokens: readNumber(contextTokens),
    slots: readNumber(slots),
    gpuLayers: readNumber(gpuLayers),
  }
  const isReloaded =
    own !== undefined &&
    (numbers.contextTokens !== own.contextTokens || numbers.slots !== own.slots || numbers.gpuLayers !== own.gpuLayers)
  const save = useMutation({
    mutationFn: () => {
      const names = aliases.split(/[,，、]/).map((alias) => alias.trim())
      const body = { aliases: names.filter((alias) => alias !== ''), ...(isReloaded ? numbers : {}) }
      return platform.changeModel({ params: { name }, body })
    },
    async onSuccess() {
      onClose()
      toast(models.saved(name))
      await refresh()
    },
  })
  const { trainedContextTokens: most = null, layers = null } = installed ?? {}
  const number = { type: 'number', inputMode: 'numeric', step: 1 } as const
  const ranges = { contextTokens: [256, most ?? 1_048_576], slots: [1, 64], gpuLayers: [0, 10_000] } as const
  const problemOf = (field: FieldName): string | undefined => {
    const [least, largest] = ranges[field]
    const value = numbers[field]
    if (value === null || (Number.isInteger(value) && value >= least && value <= largest)) return undefined
    return models.outOfRange(wholeText(least, language), wholeText(largest, language))
  }
  const isWrong = fieldNames.some((field) => problemOf(field) !== undefined)
  const shown = (field: FieldName) => (isChecked ? problemOf(field) : undefined)
  const submit = (): void => {
    setChecked(true)
    if (!isWrong) save.mutate()
  }
  return (
    <DialogForm request={save} onSubmit={submit} onCancel={onClose} submit={models.save} hidesError>
      <Field
        label={models.aliasesLabel}
        help={models.aliasesHelp}
        value={aliases}
        onChange={(event) => setAliases(event.target.value)}
      />
      <fieldset className="reloading-fields stack">
        <legend>{models.reloads}</legend>
        <p className="secondary small">{models.reloadsText}</p>
        <Field
          {...number}
          label={models.contextLabel}
          help={most === null ? models.contextHelpUnknown : models.contextHelp(wholeText(most, language))}
          min={256}
          error={shown('contextTokens')}
          placeholder={numberText(model.contextTokens)}
          value={contextTokens}
          onChange={(event) => setContext(event.target.value)}
        />
        <Field
          {...number}
          label={models.slotsLabel}
          help={models.slotsHelp}
          min={1}
          error={shown('slots')}
          placeholder={String(model.slots)}
          value={slots}
          onChange={(event) => setSlots(event.target.value)}
        />
        <Field
          {...number}
          label={models.layersLabel}
          help={layers === null ? models.layersHelpUnknown : models.layersHelp(wholeText(layers + 1, language))}
          min={0}
          error={shown('gpuLayers')}
          value={gpuLayers}
          onChange={(event) => setLayers(event.target.value)}
        />
      </fieldset>
      <ModelError error={save.error} title={models.notSaved} />
    </DialogForm>
  )
}
