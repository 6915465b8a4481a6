// The conformance scenarios with the official Go library. Address and key come from the environment.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/invopop/jsonschema"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

const (
	model    = "helix-v1"
	hello    = "Hello, world!"
	japanese = "日本語と👩‍👩‍👧‍👦と🇯🇵。"
)

type params = openai.ChatCompletionNewParams

var (
	ctx    = context.Background()
	client = openai.NewClient()
)

var weather = openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
	Name: "get_weather",
	Parameters: shared.FunctionParameters{
		"type":                 "object",
		"properties":           map[string]any{"city": map[string]any{"type": "string"}},
		"required":             []string{"city"},
		"additionalProperties": false,
	},
})

var scenarios = []struct {
	name string
	play func()
}{
	{"create", create},
	{"stream", stream},
	{"japanese and emoji", speakJapanese},
	{"abort in mid-stream", abort},
	{"tools round trip", callTools},
	{"tools round trip, streamed", callToolsStreamed},
	{"parallel tool calls", callToolsInParallel},
	{"structured output", structure},
	{"json_object", jsonObject},
	{"logprobs", logprobs},
	{"n=2", twoChoices},
	{"errors", meetErrors},
	{"error in mid-stream", breakStream},
	{"retries", retry},
	{"stored completions", store},
	{"responses", respond},
	{"responses, streamed", respondStreamed},
	{"responses, structured output", respondStructured},
	{"models", models},
}

func main() {
	fmt.Printf("openai-go %s, %s\n", libraryVersion(), runtime.Version())
	failures := 0
	for _, scenario := range scenarios {
		if reason := failure(scenario.play); reason == "" {
			fmt.Println("ok", scenario.name)
		} else {
			failures++
			fmt.Printf("FAIL %s: %s\n", scenario.name, reason)
		}
	}
	if failures > 0 {
		os.Exit(1)
	}
}

func libraryVersion() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if strings.HasPrefix(module.Path, "github.com/openai/openai-go") {
			return module.Version
		}
	}
	return "of unknown version"
}

// A scenario that is disappointed panics, and so does one that reaches for a choice that is not there.
func failure(play func()) (reason string) {
	defer func() {
		if cause := recover(); cause != nil {
			reason = fmt.Sprint(cause)
		}
	}()
	play()
	return ""
}

func equal(actual, expected any) {
	if !reflect.DeepEqual(actual, expected) {
		panic(fmt.Sprintf("expected %#v, got %#v", expected, actual))
	}
}

func holds(fact bool, what string) {
	if !fact {
		panic("expected " + what)
	}
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		var refusal *openai.Error
		if errors.As(err, &refusal) {
			panic(fmt.Sprintf("%v: %s", err, refusal.RawJSON()))
		}
		panic(err)
	}
	return value
}

func refused(err error, status int, code string) *openai.Error {
	var refusal *openai.Error
	if !errors.As(err, &refusal) {
		panic(fmt.Sprintf("expected an API error, got %v", err))
	}
	equal(refusal.StatusCode, status)
	equal(refusal.Code, code)
	return refusal
}

func saying(content string) params {
	return params{Model: model, Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(content)}}
}

func ask(asked params, options ...option.RequestOption) *openai.ChatCompletion {
	return must(client.Chat.Completions.New(ctx, asked, options...))
}

func askStreamed(asked params) *openai.ChatCompletion {
	return &heardBy(client.Chat.Completions.NewStreaming(ctx, asked)).ChatCompletion
}

func heardBy(answer *ssestream.Stream[openai.ChatCompletionChunk]) *openai.ChatCompletionAccumulator {
	heard := &openai.ChatCompletionAccumulator{}
	for answer.Next() {
		holds(heard.AddChunk(answer.Current()), "a chunk that fits the others")
	}
	must(heard, answer.Err())
	return heard
}

func checkHello(completion *openai.ChatCompletion) {
	equal(len(completion.Choices), 1)
	equal(string(completion.Choices[0].Message.Role), "assistant")
	equal(completion.Choices[0].Message.Content, hello)
	equal(completion.Choices[0].FinishReason, "stop")
	usage := completion.Usage
	equal([]int64{usage.PromptTokens, usage.CompletionTokens, usage.TotalTokens}, []int64{2, 4, 6})
}

func create() {
	checkHello(ask(saying("Hi")))
}

func stream() {
	asked := saying("Hi")
	asked.StreamOptions.IncludeUsage = openai.Bool(true)
	answer := client.Chat.Completions.NewStreaming(ctx, asked)
	var text string
	var last openai.ChatCompletionChunk
	for answer.Next() {
		last = answer.Current()
		for _, choice := range last.Choices {
			text += choice.Delta.Content
		}
	}
	must(text, answer.Err())
	equal(text, hello)
	equal(len(last.Choices), 0)
	equal(last.Usage.TotalTokens, int64(6))
	checkHello(askStreamed(asked))
}

func speakJapanese() {
	equal(ask(saying("日本")).Choices[0].Message.Content, japanese)
	equal(askStreamed(saying("日本")).Choices[0].Message.Content, japanese)
}

func abort() {
	leaving, leave := context.WithCancel(ctx)
	defer leave()
	answer := client.Chat.Completions.NewStreaming(leaving, saying("endless"))
	var heard string
	for answer.Next() && !strings.Contains(heard, "word9 ") {
		heard += answer.Current().Choices[0].Delta.Content
	}
	must(heard, answer.Err())
	holds(strings.HasPrefix(heard, "word0 word1 "), "the beginning of the answer")
	leave()
	for answer.Next() {
	}
	holds(errors.Is(answer.Err(), context.Canceled), "a cancelled stream")
	// The service has one slot: this waits until the other answer has really ended.
	checkHello(ask(saying("Hi")))
}

func askingWeather(question string) params {
	asked := saying(question)
	asked.Tools = []openai.ChatCompletionToolUnionParam{weather}
	return asked
}

func cityOf(call openai.ChatCompletionMessageToolCallUnion) string {
	var arguments map[string]string
	must(arguments, json.Unmarshal([]byte(call.Function.Arguments), &arguments))
	equal(len(arguments), 1)
	return arguments["city"]
}

func checkCalls(completion *openai.ChatCompletion, cities ...string) {
	choice := completion.Choices[0]
	equal(choice.FinishReason, "tool_calls")
	equal(choice.Message.Content, "")
	var called []string
	ids := map[string]bool{}
	for _, call := range choice.Message.ToolCalls {
		equal(call.Type, "function")
		equal(call.Function.Name, "get_weather")
		called = append(called, cityOf(call))
		ids[call.ID] = true
	}
	equal(called, cities)
	equal(len(ids), len(cities))
}

func checkRoundTrip(asked params, completion *openai.ChatCompletion, expected string) {
	message := completion.Choices[0].Message
	asked.Messages = append(asked.Messages, message.ToParam())
	for _, call := range message.ToolCalls {
		asked.Messages = append(asked.Messages, openai.ToolMessage("sunny in "+cityOf(call), call.ID))
	}
	answer := ask(asked)
	equal(answer.Choices[0].FinishReason, "stop")
	equal(answer.Choices[0].Message.Content, expected)
}

func callTools() {
	asked := askingWeather("weather Paris")
	completion := ask(asked)
	checkCalls(completion, "Paris")
	checkRoundTrip(asked, completion, "The tool said: sunny in Paris.")
}

func callToolsStreamed() {
	asked := askingWeather("weather Paris")
	completion := askStreamed(asked)
	checkCalls(completion, "Paris")
	checkRoundTrip(asked, completion, "The tool said: sunny in Paris.")
}

func callToolsInParallel() {
	asked := askingWeather("weather Paris Tokyo")
	for _, completion := range []*openai.ChatCompletion{ask(asked), askStreamed(asked)} {
		checkCalls(completion, "Paris", "Tokyo")
		checkRoundTrip(asked, completion, "The tool said: sunny in Tokyo.")
	}
}

type guest struct {
	Name string `json:"name"`
	Age  int64  `json:"age"`
}

type party struct {
	Place    string  `json:"place"`
	Outdoors bool    `json:"outdoors"`
	Guests   []guest `json:"guests"`
}

func structure() {
	reflector := jsonschema.Reflector{AllowAdditionalProperties: false, DoNotReference: true}
	asked := saying("plan")
	asked.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
		JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name:   "party",
			Schema: reflector.Reflect(party{}),
			Strict: openai.Bool(true),
		},
	}
	for _, completion := range []*openai.ChatCompletion{ask(asked), askStreamed(asked)} {
		reader := json.NewDecoder(strings.NewReader(completion.Choices[0].Message.Content))
		reader.DisallowUnknownFields()
		planned := party{}
		must(planned, reader.Decode(&planned))
		holds(planned.Guests != nil, "a list of guests")
	}
}

func responding(input string) responses.ResponseNewParams {
	return responses.ResponseNewParams{
		Model: model,
		Input: responses.ResponseNewParamsInputUnion{OfString: openai.String(input)},
	}
}

func respond() {
	first, err := client.Responses.New(ctx, responding("Hi"))
	must(first, err)
	equal(first.OutputText(), hello)
	asked := responding("Hi")
	asked.PreviousResponseID = openai.String(first.ID)
	second, err := client.Responses.New(ctx, asked)
	must(second, err)
	holds(second.Usage.InputTokens > first.Usage.InputTokens, "the first response in the prompt")
}

func respondStreamed() {
	answer := client.Responses.NewStreaming(ctx, responding("Hi"))
	var text string
	var last responses.ResponseStreamEventUnion
	for answer.Next() {
		last = answer.Current()
		if last.Type == "response.output_text.delta" {
			text += last.Delta
		}
	}
	must(text, answer.Err())
	equal(text, hello)
	equal(last.Type, "response.completed")
	equal(last.Response.OutputText(), hello)
}

func respondStructured() {
	reflector := jsonschema.Reflector{AllowAdditionalProperties: false, DoNotReference: true}
	encoded, err := json.Marshal(reflector.Reflect(party{}))
	must(encoded, err)
	schema := map[string]any{}
	must(schema, json.Unmarshal(encoded, &schema))
	asked := responding("plan")
	asked.Text.Format = responses.ResponseFormatTextConfigParamOfJSONSchema("party", schema)
	response, err := client.Responses.New(ctx, asked)
	must(response, err)
	planned := party{}
	must(planned, json.Unmarshal([]byte(response.OutputText()), &planned))
	holds(planned.Guests != nil, "a list of guests")
}

func jsonObject() {
	asked := saying("Answer in JSON.")
	asked.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	var answer map[string]any
	must(answer, json.Unmarshal([]byte(ask(asked).Choices[0].Message.Content), &answer))
	holds(answer != nil, "a JSON object")
}

func logprobs() {
	asked := saying("Hi")
	asked.Logprobs = openai.Bool(true)
	asked.TopLogprobs = openai.Int(2)
	for _, completion := range []*openai.ChatCompletion{ask(asked), askStreamed(asked)} {
		var tokens []string
		for _, token := range completion.Choices[0].Logprobs.Content {
			tokens = append(tokens, token.Token)
			var bytes []byte
			for _, each := range token.Bytes {
				bytes = append(bytes, byte(each))
			}
			equal(string(bytes), token.Token)
			equal(len(token.TopLogprobs), 2)
			equal(token.TopLogprobs[0].Token, token.Token)
			equal(token.TopLogprobs[0].Logprob, token.Logprob)
			holds(token.Logprob <= 0, "a logarithm of a probability")
		}
		equal(tokens, []string{"Hello", ", ", "world", "!"})
	}
}

func twoChoices() {
	asked := saying("Hi")
	asked.N = openai.Int(2)
	whole := ask(asked)
	equal(whole.Usage.CompletionTokens, int64(8))
	for _, completion := range []*openai.ChatCompletion{whole, askStreamed(asked)} {
		equal(len(completion.Choices), 2)
		for index, choice := range completion.Choices {
			equal(choice.Index, int64(index))
			equal(choice.Message.Content, hello)
		}
	}
}

func meetErrors() {
	hot := saying("Hi")
	hot.Temperature = openai.Float(3)
	_, err := client.Chat.Completions.New(ctx, hot)
	refusal := refused(err, 400, "decimal_above_max_value")
	equal(refusal.Param, "temperature")
	equal(refusal.Type, "invalid_request_error")

	_, err = client.Chat.Completions.New(ctx, saying("Hi"), option.WithAPIKey("sk-1234567890123456789"))
	refused(err, 401, "invalid_api_key")

	unknown := saying("Hi")
	unknown.Model = "none"
	_, err = client.Chat.Completions.New(ctx, unknown)
	refused(err, 404, "model_not_found")
}

func breakStream() {
	answer := client.Chat.Completions.NewStreaming(ctx, saying("break"))
	var heard string
	for answer.Next() {
		heard += answer.Current().Choices[0].Delta.Content
	}
	equal(heard, "Half an answer")
	holds(answer.Err() != nil, "an error after half the answer")
	holds(strings.Contains(answer.Err().Error(), os.Getenv("EXPECTED_BROKEN_CODE")), "the error of the service, not "+answer.Err().Error())
}

func retry() {
	equal(ask(saying("flaky patient")).Choices[0].Message.Content, hello)
	_, err := client.Chat.Completions.New(ctx, saying("flaky impatient"), option.WithMaxRetries(0))
	refused(err, 503, os.Getenv("EXPECTED_BUSY_CODE"))
}

func store() {
	completions := client.Chat.Completions
	var ids []string
	for n := range 3 {
		asked := saying("Hi")
		asked.Store = openai.Bool(true)
		asked.Metadata = shared.Metadata{"part": fmt.Sprint(n)}
		ids = append(ids, ask(asked).ID)
	}
	ask(saying("Hi"))
	equal(storedIds(openai.ChatCompletionListParams{Limit: openai.Int(2)}), ids)
	equal(storedIds(openai.ChatCompletionListParams{Metadata: shared.Metadata{"part": "1"}}), ids[1:2])

	kept := must(completions.Get(ctx, ids[0]))
	equal(kept.ID, ids[0])
	equal(kept.Choices[0].Message.Content, hello)
	equal(kept.Metadata, shared.Metadata{"part": "0"})
	messages := must(completions.Messages.List(ctx, ids[0], openai.ChatCompletionMessageListParams{}))
	equal(len(messages.Data), 1)
	equal(messages.Data[0].Content, "Hi")

	relabelled := openai.ChatCompletionUpdateParams{Metadata: shared.Metadata{"part": "new"}}
	equal(must(completions.Update(ctx, ids[0], relabelled)).Metadata, shared.Metadata{"part": "new"})
	equal(must(completions.Get(ctx, ids[0])).Metadata, shared.Metadata{"part": "new"})
	for _, id := range ids {
		holds(must(completions.Delete(ctx, id)).Deleted, "a deleted completion")
	}
	_, err := completions.Get(ctx, ids[0])
	refused(err, 404, "not_found")
	equal(len(storedIds(openai.ChatCompletionListParams{})), 0)
}

func storedIds(query openai.ChatCompletionListParams) []string {
	var ids []string
	pages := client.Chat.Completions.ListAutoPaging(ctx, query)
	for pages.Next() {
		ids = append(ids, pages.Current().ID)
	}
	return must(ids, pages.Err())
}

func models() {
	var ids []string
	pages := client.Models.ListAutoPaging(ctx)
	for pages.Next() {
		ids = append(ids, pages.Current().ID)
	}
	equal(must(ids, pages.Err()), []string{model})
	equal(must(client.Models.Get(ctx, model)).ID, model)
	_, err := client.Models.Get(ctx, "none/such")
	refused(err, 404, "model_not_found")
}
