import type { Annotation, LogprobJson, OutputItem, OutputText, ReasoningText, Refusal, SummaryText } from './items.ts'
import type { ResponseJson } from './response-json.ts'

/** The events of a streamed response, except for the number that all of them have. */
type Place = { item_id: string; output_index: number }
type PartPlace = Place & { content_index: number }
type SummaryPlace = Place & { summary_index: number }
/** Events have log probabilities without bytes. */
export type EventLogprob = { token: string; logprob: number; top_logprobs: { token: string; logprob: number }[] }

export type UnnumberedEvent =
  | {
      type:
        | 'response.created'
        | 'response.in_progress'
        | 'response.completed'
        | 'response.incomplete'
        | 'response.failed'
      response: ResponseJson
    }
  | { type: 'response.output_item.added' | 'response.output_item.done'; output_index: number; item: OutputItem }
  | ({
      type: 'response.content_part.added' | 'response.content_part.done'
      part: OutputText | Refusal | ReasoningText
    } & PartPlace)
  | ({ type: 'response.output_text.delta'; delta: string; logprobs: EventLogprob[]; obfuscation?: string } & PartPlace)
  | ({ type: 'response.output_text.done'; text: string; logprobs: EventLogprob[] } & PartPlace)
  | ({ type: 'response.output_text.annotation.added'; annotation_index: number; annotation: Annotation } & PartPlace)
  | ({ type: 'response.refusal.delta'; delta: string; obfuscation?: string } & PartPlace)
  | ({ type: 'response.refusal.done'; refusal: string } & PartPlace)
  | ({ type: 'response.reasoning_text.delta'; delta: string; obfuscation?: string } & PartPlace)
  | ({ type: 'response.reasoning_text.done'; text: string } & PartPlace)
  | ({
      type: 'response.reasoning_summary_part.added' | 'response.reasoning_summary_part.done'
      part: SummaryText
    } & SummaryPlace)
  | ({ type: 'response.reasoning_summary_text.delta'; delta: string; obfuscation?: string } & SummaryPlace)
  | ({ type: 'response.reasoning_summary_text.done'; text: string } & SummaryPlace)
  | ({ type: 'response.function_call_arguments.delta'; delta: string; obfuscation?: string } & Place)
  | ({ type: 'response.function_call_arguments.done'; arguments: string } & Place)
  | ({ type: 'response.custom_tool_call_input.delta'; delta: string; obfuscation?: string } & Place)
  | ({ type: 'response.custom_tool_call_input.done'; input: string } & Place)
  | { type: 'error'; code: string | null; message: string; param: string | null }

export type ResponseEvent = UnnumberedEvent & { sequence_number: number }

export const eventLogprob = ({ token, logprob, top_logprobs }: LogprobJson): EventLogprob => ({
  token,
  logprob,
  top_logprobs: top_logprobs.map((likely) => ({ token: likely.token, logprob: likely.logprob })),
})
