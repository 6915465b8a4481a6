import OpenAI from 'openai-6'
import { LengthFinishReasonError } from 'openai-6/core/error'
import { zodFunction, zodResponseFormat, zodTextFormat } from 'openai-6/helpers/zod'
import { ChatCompletionStream } from 'openai-6/lib/ChatCompletionStream'
import { openService } from './open-service.ts'
import { testAnswers } from './openai/answers.ts'
import { testErrors } from './openai/errors.ts'
import { asNewest } from './openai/openai-package.ts'
import { testResponses } from './openai/responses.ts'
import { testStored } from './openai/stored.ts'
import { testStructuredOutput } from './openai/structured-output.ts'
import { testTools } from './openai/tools.ts'

const openai = asNewest({
  OpenAI,
  zodFunction,
  zodResponseFormat,
  zodTextFormat,
  ChatCompletionStream,
  LengthFinishReasonError,
})
const service = openService()
for (const testThem of [testStored, testAnswers, testTools, testStructuredOutput, testResponses, testErrors])
  testThem(openai, service)
