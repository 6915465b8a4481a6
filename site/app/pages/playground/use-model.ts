import type { UsableModel } from '../../../../src/platform/contract/models.ts'
import { chosenModel } from '../../model-choices.ts'
import { useSession } from '../../session.ts'
import { usePlayground } from './use-playground.ts'

/** The model that the next message goes to. */
export const useModel = (): UsableModel => chosenModel(useSession(), usePlayground().model)
