import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ShownSetting } from '../../../../src/platform/contract/server.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { errorText } from '../../../words/error-text.ts'
import { useLocale } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { useToast } from '../../components/toasts.tsx'
import { sessionQuery } from '../../session.ts'
import { configurationQuery } from './server-queries.ts'
import { wrongSettingText } from './wrong-setting-text.ts'

/** The setting that the server refused, and its sentence; null if it refused none. */
type WrongSetting = { name: string; text: string } | null

/** Another owner was faster. */
const conflict = 'changed_meanwhile'

/** New values by name, what was shown before they were typed, and what the form contained. */
type Changed<Typed> = {
  changes: Readonly<Record<string, unknown>>
  were: Readonly<Record<string, string | null>>
  typed: Typed
}

type AfterSaving<Typed> = {
  /** More may have been typed since. `settings`: as they are now. */
  onSaved(sent: Changed<Typed>, settings: readonly ShownSetting[]): void
  /** Somebody else changed it, and their value is shown from now on. */
  onConflict(name: string): void
}

/** Saves settings of a part. */
export const useSaveSettings = <Typed>({ onSaved, onConflict }: AfterSaving<Typed>) => {
  const platform = usePlatform()
  const queryClient = useQueryClient()
  const toast = useToast()
  const { words, language } = useLocale()
  const save = useMutation({
    mutationFn: ({ changes, were }: Changed<Typed>) =>
      platform.saveSettings({ body: { changes: { ...changes }, were: { ...were } } }),
    // What was sent may be a secret.
    gcTime: 0,
    onSuccess(saved, sent) {
      queryClient.setQueryData(configurationQuery(platform).queryKey, saved)
      // It says who can sign up, and whether mail is sent.
      void queryClient.invalidateQueries({ queryKey: sessionQuery(platform).queryKey })
      toast(words.server.saved)
      onSaved(sent, saved.data)
    },
    async onError(error) {
      if (!(error instanceof PlatformError) || error.code !== conflict) return
      await queryClient.refetchQueries({ queryKey: configurationQuery(platform).queryKey })
      onConflict(error.param ?? '')
    },
  })
  const { error } = save
  const readWrong = (): WrongSetting => {
    if (!(error instanceof PlatformError) || error.param === null) return null
    if (error.code === conflict) return { name: error.param, text: errorText(error, words.errors) }
    if (error.code !== 'invalid_setting') return null
    return { name: error.param, text: wrongSettingText(error.message, words, language) }
  }
  return { save, wrong: readWrong() }
}
