import type { FirstWords } from '../../../languages/words.ts'
import { chosenModel } from '../model-choices.ts'
import { drawEmpty } from './draw-first-words.ts'
import type { Sight } from './sight.ts'

/** The playground does with the first words. */
export const playgroundSight: Sight<FirstWords> = async (platform) => {
  const [session, { content }] = await Promise.all([platform.showSession(), platform.showDraft()])
  const { id } = chosenModel(session, '')
  return ({ playground }) =>
    content === null ? { below: [drawEmpty(playground.emptyTitle(id), playground.emptyText)] } : {}
}
