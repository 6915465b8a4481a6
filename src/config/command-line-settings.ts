import { type Setting, text } from './setting.ts'

/** What only the command line reads. */
export const commandLineSettings = {
  apiKey: text({
    default: null,
    secret: true,
    text: 'API key for `helix chat`, instead of a temporary key it creates.',
  }),
} satisfies Record<string, Setting<unknown>>
