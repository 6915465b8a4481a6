import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ConfigurationShown } from '../../../../src/platform/contract/server.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { useLocale } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { useToast } from '../../components/toasts.tsx'
import { sessionQuery } from '../../session.ts'
import { configurationQuery } from './server-queries.ts'
import { wrongSettingText } from './wrong-setting-text.ts'

/** The setting that the server refused, and its sentence; null if it refused none. */
type WrongSetting = { name: string; text: string } | null

/** Saves settings of a part. */
export const useSaveSettings = (onSaved: (saved: ConfigurationShown) => void) => {
  const platform = usePlatform()
  const queryClient = useQueryClient()
  const toast = useToast()
  const { words, language } = useLocale()
  const save = useMutation({
    mutationFn: (changes: Record<string, unknown>) => platform.saveSettings({ body: { changes } }),
    // What was sent may be a secret.
    gcTime: 0,
    onSuccess(saved) {
      queryClient.setQueryData(configurationQuery(platform).queryKey, saved)
      // It says who can sign up, and whether mail is sent.
      void queryClient.invalidateQueries({ queryKey: sessionQuery(platform).queryKey })
      toast(words.server.saved)
      onSaved(saved)
    },
  })
  const { error } = save
  const isOfField = error instanceof PlatformError && error.code === 'invalid_setting' && error.param !== null
  const wrong: WrongSetting = isOfField
    ? { name: error.param ?? '', text: wrongSettingText(error.message, words, language) }
    : null
  return { save, wrong }
}
