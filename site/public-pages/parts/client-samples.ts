import { goProgram, pythonClient, typescriptClient } from './plain-samples.ts'

type Samples = Partial<Record<'python' | 'typescript' | 'go' | 'java' | 'csharp', string>>

/** Samples with a method of the official client, by the id of the operation; none where there is no such method. */
export const clientSamples = (operation: string, prompt: string): Samples => samples(prompt)[operation] ?? {}

const samples = (prompt: string): Readonly<Record<string, Samples>> => ({
  createChatCompletion: chat(prompt),
  createResponse: responses(prompt),
  createMessage: messages(prompt),
  createEmbedding: embeddings(prompt),
  listModels: {
    python: `${pythonClient}for model in client.models.list():
    print(model.id)`,
    typescript: `${typescriptClient}for await (const model of client.models.list()) console.log(model.id)`,
  },
})

const chat = (prompt: string): Samples => ({
  python: `${pythonClient}stream = client.chat.completions.create(
    model="%chat%",
    stream=True,
    messages=[{"role": "user", "content": "${prompt}"}],
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`,
  typescript: `${typescriptClient}const stream = await client.chat.completions.create({
  model: '%chat%',
  stream: true,
  messages: [{ role: 'user', content: '${prompt}' }],
})
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '')`,
  go: goProgram(`stream := client.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{
	Model:    "%chat%",
	Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("${prompt}")},
})
for stream.Next() {
	for _, choice := range stream.Current().Choices {
		fmt.Print(choice.Delta.Content)
	}
}
if err := stream.Err(); err != nil {
	panic(err)
}`),
  java: javaProgram(
    [
      'core.http.StreamResponse',
      'models.chat.completions.ChatCompletionChunk',
      'models.chat.completions.ChatCompletionCreateParams',
    ],
    `ChatCompletionCreateParams params = ChatCompletionCreateParams.builder()
    .model("%chat%")
    .addUserMessage("${prompt}")
    .build();
try (StreamResponse<ChatCompletionChunk> stream = client.chat().completions().createStreaming(params)) {
    stream.stream()
        .flatMap(chunk -> chunk.choices().stream())
        .flatMap(choice -> choice.delta().content().stream())
        .forEach(System.out::print);
}`,
  ),
  csharp: csharpProgram(
    'Chat',
    `await foreach (var update in client.CompleteChatStreamingAsync("${prompt}"))
    foreach (var part in update.ContentUpdate)
        Console.Write(part.Text);`,
    '%chat%',
  ),
})

const responses = (prompt: string): Samples => ({
  python: `${pythonClient}response = client.responses.create(model="%chat%", input="${prompt}")
print(response.output_text)`,
  typescript: `${typescriptClient}const response = await client.responses.create({
  model: '%chat%',
  input: '${prompt}',
})
console.log(response.output_text)`,
  go: goProgram(
    `response, err := client.Responses.New(ctx, responses.ResponseNewParams{
	Model: "%chat%",
	Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("${prompt}")},
})
if err != nil {
	panic(err)
}
fmt.Println(response.OutputText())`,
    ['responses'],
  ),
  java: javaProgram(
    ['models.responses.ResponseCreateParams'],
    `ResponseCreateParams params = ResponseCreateParams.builder()
    .model("%chat%")
    .input("${prompt}")
    .build();
client.responses().create(params).output().stream()
    .flatMap(item -> item.message().stream())
    .flatMap(message -> message.content().stream())
    .flatMap(content -> content.outputText().stream())
    .forEach(text -> System.out.println(text.text()));`,
  ),
})

/** Anthropic's own clients add `/v1` to the address. */
const messages = (prompt: string): Samples => ({
  python: `import os
from anthropic import Anthropic

base_url = "«%origin%»"
client = Anthropic(base_url=base_url, api_key=«os.environ["HELIX_API_KEY"]»)
message = client.messages.create(
    model="%chat%",
    max_tokens=256,
    messages=[{"role": "user", "content": "${prompt}"}],
)
print(message.content)`,
  typescript: `import Anthropic from '@anthropic-ai/sdk'

const baseURL = '«%origin%»'
const client = new Anthropic({ baseURL, apiKey: «process.env.HELIX_API_KEY» })
const message = await client.messages.create({
  model: '%chat%',
  max_tokens: 256,
  messages: [{ role: 'user', content: '${prompt}' }],
})
console.log(message.content)`,
})

const embeddings = (prompt: string): Samples => ({
  python: `${pythonClient}answer = client.embeddings.create(model="%embedding%", input="${prompt}")
print(len(answer.data[0].embedding))`,
  typescript: `${typescriptClient}const answer = await client.embeddings.create({
  model: '%embedding%',
  input: '${prompt}',
})
console.log(answer.data[0]?.embedding.length)`,
  go: goProgram(`answer, err := client.Embeddings.New(ctx, openai.EmbeddingNewParams{
	Model: "%embedding%",
	Input: openai.EmbeddingNewParamsInputUnion{OfString: openai.String("${prompt}")},
})
if err != nil {
	panic(err)
}
fmt.Println(len(answer.Data[0].Embedding))`),
  java: javaProgram(
    ['models.embeddings.EmbeddingCreateParams'],
    `EmbeddingCreateParams params = EmbeddingCreateParams.builder()
    .model("%embedding%")
    .input("${prompt}")
    .build();
System.out.println(client.embeddings().create(params).data().get(0).embedding().size());`,
  ),
  csharp: csharpProgram(
    'Embeddings',
    `OpenAIEmbedding embedding = await client.GenerateEmbeddingAsync("${prompt}");
Console.WriteLine(embedding.ToFloats().Length);`,
    '%embedding%',
  ),
})

const javaProgram = (imports: readonly string[], lines: string): string => `import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
${imports.map((name) => `import com.openai.${name};`).join('\n')}

public class Example {
    public static void main(String[] args) {
        String baseUrl = "«%origin%/v1»";
        OpenAIClient client = OpenAIOkHttpClient.builder()
            .baseUrl(baseUrl)
            .apiKey(«System.getenv("HELIX_API_KEY")»)
            .build();
        ${lines.replaceAll('\n', '\n        ')}
    }
}`

const csharpProgram = (area: 'Chat' | 'Embeddings', lines: string, model: string): string => `using System.ClientModel;
using OpenAI;
using OpenAI.${area};

var baseUrl = new Uri("«%origin%/v1»");
var client = new ${area.replace(/s$/, '')}Client(
    model: "${model}",
    credential: new ApiKeyCredential(«Environment.GetEnvironmentVariable("HELIX_API_KEY")!»),
    options: new OpenAIClientOptions { Endpoint = baseUrl });
${lines}`
