import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.InternalServerException;
import com.openai.errors.NotFoundException;
import com.openai.errors.OpenAIServiceException;
import com.openai.errors.UnauthorizedException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.ResponseFormatJsonObject;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionListParams;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionMessageToolCall;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionTokenLogprob;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.chat.completions.ChatCompletionUpdateParams;
import com.openai.models.chat.completions.StructuredChatCompletionCreateParams;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseStreamEvent;
import com.openai.models.responses.StructuredResponseCreateParams;
import com.openai.services.blocking.chat.ChatCompletionService;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The conformance scenarios with the official Java library. Address and key come from the environment. */
public final class Scenarios {
    private static final String MODEL = "helix-v1";
    private static final String HELLO = "Hello, world!";
    private static final String JAPANESE = "日本語と👩‍👩‍👧‍👦と🇯🇵。";

    private static final OpenAIClient client = OpenAIOkHttpClient.fromEnv();
    private static final ChatCompletionService completions = client.chat().completions();

    interface Scenario {
        void play() throws Exception;
    }

    public static void main(String[] args) {
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        scenarios.put("create", Scenarios::create);
        scenarios.put("stream", Scenarios::stream);
        scenarios.put("japanese and emoji", Scenarios::speakJapanese);
        scenarios.put("abort in mid-stream", Scenarios::abort);
        scenarios.put("tools round trip", Scenarios::callTools);
        scenarios.put("tools round trip, streamed", Scenarios::callToolsStreamed);
        scenarios.put("parallel tool calls", Scenarios::callToolsInParallel);
        scenarios.put("structured output", Scenarios::structure);
        scenarios.put("json_object", Scenarios::jsonObject);
        scenarios.put("logprobs", Scenarios::logprobs);
        scenarios.put("n=2", Scenarios::twoChoices);
        scenarios.put("errors", Scenarios::meetErrors);
        scenarios.put("error in mid-stream", Scenarios::breakStream);
        scenarios.put("retries", Scenarios::retry);
        scenarios.put("stored completions", Scenarios::store);
        scenarios.put("responses", Scenarios::respond);
        scenarios.put("responses, streamed", Scenarios::respondStreamed);
        scenarios.put("responses, structured output", Scenarios::respondStructured);
        scenarios.put("models", Scenarios::models);

        System.out.println(libraryVersion() + ", Java " + System.getProperty("java.version"));
        int failures = 0;
        for (Map.Entry<String, Scenario> scenario : scenarios.entrySet()) {
            try {
                scenario.getValue().play();
                System.out.println("ok " + scenario.getKey());
            } catch (Throwable error) {
                failures += 1;
                System.out.println("FAIL " + scenario.getKey() + ": " + error);
            }
        }
        // The library's threads would keep the process for a minute.
        System.exit(failures == 0 ? 0 : 1);
    }

    /** The name of the file that the library came in. */
    private static String libraryVersion() {
        String path = OpenAIClient.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        return path.substring(path.lastIndexOf('/') + 1).replace(".jar", "");
    }

    private static void equal(Object actual, Object expected) {
        if (!Objects.equals(actual, expected))
            throw new AssertionError("expected " + expected + ", got " + actual);
    }

    private static void holds(boolean fact, String what) {
        if (!fact) throw new AssertionError("expected " + what);
    }

    private static <Kind extends OpenAIServiceException> Kind refused(Class<Kind> kind, String code, Scenario scenario)
            throws Exception {
        try {
            scenario.play();
        } catch (OpenAIServiceException error) {
            holds(kind.isInstance(error), kind.getSimpleName() + ", not " + error);
            equal(error.code().orElse(null), code);
            return kind.cast(error);
        }
        throw new AssertionError("expected " + kind.getSimpleName() + ", but nothing was thrown");
    }

    private static ChatCompletionCreateParams.Builder saying(String content) {
        return ChatCompletionCreateParams.builder().model(MODEL).addUserMessage(content);
    }

    private static ChatCompletion ask(ChatCompletionCreateParams.Builder asked) {
        return completions.create(asked.build());
    }

    private static ChatCompletion askStreamed(ChatCompletionCreateParams.Builder asked) {
        ChatCompletionAccumulator heard = ChatCompletionAccumulator.create();
        try (StreamResponse<ChatCompletionChunk> answer = completions.createStreaming(asked.build())) {
            answer.stream().forEach(heard::accumulate);
        }
        return heard.chatCompletion();
    }

    private static String contentOf(ChatCompletion completion) {
        return completion.choices().get(0).message().content().orElse(null);
    }

    private static String deltaOf(ChatCompletionChunk chunk) {
        return chunk.choices().stream()
                .map(choice -> choice.delta().content().orElse(""))
                .collect(Collectors.joining());
    }

    private static void checkHello(ChatCompletion completion) {
        equal(completion.choices().size(), 1);
        equal(contentOf(completion), HELLO);
        equal(completion.choices().get(0).finishReason(), ChatCompletion.Choice.FinishReason.STOP);
        equal(completion.usage().get().promptTokens(), 2L);
        equal(completion.usage().get().completionTokens(), 4L);
        equal(completion.usage().get().totalTokens(), 6L);
        completion.validate();
    }

    private static void create() {
        checkHello(ask(saying("Hi")));
    }

    private static void stream() {
        ChatCompletionCreateParams.Builder asked = saying("Hi")
                .streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build());
        List<ChatCompletionChunk> chunks;
        try (StreamResponse<ChatCompletionChunk> answer = completions.createStreaming(asked.build())) {
            chunks = answer.stream().collect(Collectors.toList());
        }
        chunks.forEach(ChatCompletionChunk::validate);
        equal(chunks.stream().map(Scenarios::deltaOf).collect(Collectors.joining()), HELLO);
        ChatCompletionChunk last = chunks.get(chunks.size() - 1);
        equal(last.choices().size(), 0);
        equal(last.usage().get().totalTokens(), 6L);
        checkHello(askStreamed(asked));
    }

    private static void speakJapanese() {
        equal(contentOf(ask(saying("日本"))), JAPANESE);
        equal(contentOf(askStreamed(saying("日本"))), JAPANESE);
    }

    private static void abort() {
        StringBuilder heard = new StringBuilder();
        try (StreamResponse<ChatCompletionChunk> answer = completions.createStreaming(saying("endless").build())) {
            Iterator<ChatCompletionChunk> chunks = answer.stream().iterator();
            while (heard.indexOf("word9 ") < 0) heard.append(deltaOf(chunks.next()));
        }
        holds(heard.toString().startsWith("word0 word1 "), "the beginning of the answer");
        // The service has one slot: this waits until the other answer has really ended.
        checkHello(ask(saying("Hi")));
    }

    @JsonTypeName("get_weather")
    public static final class GetWeather {
        public String city;
    }

    private static ChatCompletionCreateParams.Builder askingWeather(String question) {
        return saying(question).addTool(GetWeather.class);
    }

    private static List<ChatCompletionMessageFunctionToolCall> callsOf(ChatCompletion completion) {
        return completion.choices().get(0).message().toolCalls().orElse(List.of()).stream()
                .map(ChatCompletionMessageToolCall::asFunction)
                .collect(Collectors.toList());
    }

    private static String cityOf(ChatCompletionMessageFunctionToolCall call) {
        return call.function().arguments(GetWeather.class).city;
    }

    private static void checkCalls(ChatCompletion completion, String... cities) {
        equal(completion.choices().get(0).finishReason(), ChatCompletion.Choice.FinishReason.TOOL_CALLS);
        List<String> called = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (ChatCompletionMessageFunctionToolCall call : callsOf(completion)) {
            equal(call.function().name(), "get_weather");
            called.add(cityOf(call));
            ids.add(call.id());
        }
        equal(called, List.of(cities));
        equal(ids.size(), cities.length);
    }

    private static void checkRoundTrip(String question, ChatCompletion completion, String expected) {
        ChatCompletionMessage message = completion.choices().get(0).message();
        ChatCompletionCreateParams.Builder asked = askingWeather(question).addMessage(message);
        for (ChatCompletionMessageFunctionToolCall call : callsOf(completion))
            asked.addMessage(ChatCompletionToolMessageParam.builder()
                    .toolCallId(call.id())
                    .content("sunny in " + cityOf(call))
                    .build());
        ChatCompletion answer = ask(asked);
        equal(answer.choices().get(0).finishReason(), ChatCompletion.Choice.FinishReason.STOP);
        equal(contentOf(answer), expected);
    }

    private static void callTools() {
        ChatCompletion completion = ask(askingWeather("weather Paris"));
        equal(contentOf(completion), null);
        checkCalls(completion, "Paris");
        checkRoundTrip("weather Paris", completion, "The tool said: sunny in Paris.");
    }

    private static void callToolsStreamed() {
        ChatCompletion completion = askStreamed(askingWeather("weather Paris"));
        checkCalls(completion, "Paris");
        checkRoundTrip("weather Paris", completion, "The tool said: sunny in Paris.");
    }

    private static void callToolsInParallel() {
        String question = "weather Paris Tokyo";
        for (ChatCompletion completion : List.of(ask(askingWeather(question)), askStreamed(askingWeather(question)))) {
            checkCalls(completion, "Paris", "Tokyo");
            checkRoundTrip(question, completion, "The tool said: sunny in Tokyo.");
        }
    }

    public static final class Guest {
        public String name;
        public long age;
    }

    public static final class Party {
        public String place;
        public boolean outdoors;
        public List<Guest> guests;
    }

    private static void structure() {
        StructuredChatCompletionCreateParams<Party> asked = saying("plan").responseFormat(Party.class).build();
        checkParty(completions.create(asked).choices().get(0).message().content().get());
        ChatCompletionAccumulator heard = ChatCompletionAccumulator.create();
        try (StreamResponse<ChatCompletionChunk> answer = completions.createStreaming(asked)) {
            answer.stream().forEach(heard::accumulate);
        }
        checkParty(heard.chatCompletion(Party.class).choices().get(0).message().content().get());
    }

    private static void checkParty(Party party) {
        holds(party.place != null && party.guests != null, "a whole party");
        for (Guest guest : party.guests) holds(guest.name != null, "a guest with a name");
    }

    private static ResponseCreateParams.Builder responding(String input) {
        return ResponseCreateParams.builder().model(MODEL).input(input);
    }

    private static String textOf(Response response) {
        return response.output().stream()
                .flatMap(item -> item.message().stream())
                .flatMap(message -> message.content().stream())
                .flatMap(part -> part.outputText().stream())
                .map(part -> part.text())
                .collect(Collectors.joining());
    }

    private static void respond() {
        Response first = client.responses().create(responding("Hi").build());
        first.validate();
        equal(textOf(first), HELLO);
        Response second = client.responses().create(responding("Hi").previousResponseId(first.id()).build());
        holds(second.usage().get().inputTokens() > first.usage().get().inputTokens(), "the first response in the prompt");
    }

    private static void respondStreamed() {
        List<ResponseStreamEvent> events;
        try (StreamResponse<ResponseStreamEvent> answer = client.responses().createStreaming(responding("Hi").build())) {
            events = answer.stream().collect(Collectors.toList());
        }
        events.forEach(ResponseStreamEvent::validate);
        String text = events.stream()
                .flatMap(event -> event.outputTextDelta().stream())
                .map(delta -> delta.delta())
                .collect(Collectors.joining());
        equal(text, HELLO);
        equal(textOf(events.get(events.size() - 1).completed().get().response()), HELLO);
    }

    private static void respondStructured() {
        StructuredResponseCreateParams<Party> asked = responding("plan").text(Party.class).build();
        Party party = client.responses().create(asked).output().stream()
                .flatMap(item -> item.message().stream())
                .flatMap(message -> message.content().stream())
                .flatMap(part -> part.outputText().stream())
                .findFirst()
                .get();
        checkParty(party);
    }

    private static void jsonObject() throws Exception {
        ChatCompletion completion =
                ask(saying("Answer in JSON.").responseFormat(ResponseFormatJsonObject.builder().build()));
        JsonNode answer = new ObjectMapper().readTree(contentOf(completion));
        holds(answer.isObject(), "a JSON object");
    }

    private static void logprobs() {
        ChatCompletionCreateParams.Builder asked = saying("Hi").logprobs(true).topLogprobs(2);
        for (ChatCompletion completion : List.of(ask(asked), askStreamed(asked))) {
            List<String> tokens = new ArrayList<>();
            for (ChatCompletionTokenLogprob token : completion.choices().get(0).logprobs().get().content().get()) {
                tokens.add(token.token());
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                token.bytes().get().forEach(each -> bytes.write(each.intValue()));
                equal(new String(bytes.toByteArray(), StandardCharsets.UTF_8), token.token());
                equal(token.topLogprobs().size(), 2);
                equal(token.topLogprobs().get(0).token(), token.token());
                equal(token.topLogprobs().get(0).logprob(), token.logprob());
                holds(token.logprob() <= 0, "a logarithm of a probability");
            }
            equal(tokens, List.of("Hello", ", ", "world", "!"));
        }
    }

    private static void twoChoices() {
        ChatCompletion whole = ask(saying("Hi").n(2));
        equal(whole.usage().get().completionTokens(), 8L);
        for (ChatCompletion completion : List.of(whole, askStreamed(saying("Hi").n(2)))) {
            equal(completion.choices().size(), 2);
            for (int index = 0; index < 2; index += 1) {
                equal(completion.choices().get(index).index(), (long) index);
                equal(completion.choices().get(index).message().content().orElse(null), HELLO);
            }
        }
    }

    private static void meetErrors() throws Exception {
        BadRequestException wrong = refused(
                BadRequestException.class, "decimal_above_max_value", () -> ask(saying("Hi").temperature(3)));
        equal(wrong.statusCode(), 400);
        equal(wrong.param().orElse(null), "temperature");
        equal(wrong.type().orElse(null), "invalid_request_error");

        OpenAIClient stranger = client.withOptions(options -> options.apiKey("sk-1234567890123456789"));
        UnauthorizedException unauthorized = refused(
                UnauthorizedException.class,
                "invalid_api_key",
                () -> stranger.chat().completions().create(saying("Hi").build()));
        equal(unauthorized.statusCode(), 401);

        NotFoundException unknown =
                refused(NotFoundException.class, "model_not_found", () -> ask(saying("Hi").model("none")));
        equal(unknown.statusCode(), 404);
    }

    private static void breakStream() throws Exception {
        StringBuilder heard = new StringBuilder();
        refused(OpenAIServiceException.class, System.getenv("EXPECTED_BROKEN_CODE"), () -> {
            try (StreamResponse<ChatCompletionChunk> answer = completions.createStreaming(saying("break").build())) {
                answer.stream().forEach(chunk -> heard.append(deltaOf(chunk)));
            }
        });
        equal(heard.toString(), "Half an answer");
    }

    private static void retry() throws Exception {
        equal(contentOf(ask(saying("flaky patient"))), HELLO);
        OpenAIClient impatient = client.withOptions(options -> options.maxRetries(0));
        InternalServerException loading = refused(
                InternalServerException.class,
                System.getenv("EXPECTED_BUSY_CODE"),
                () -> impatient.chat().completions().create(saying("flaky impatient").build()));
        equal(loading.statusCode(), 503);
    }

    private static void store() throws Exception {
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < 3; n += 1) {
            ChatCompletionCreateParams.Metadata metadata = ChatCompletionCreateParams.Metadata.builder()
                    .putAdditionalProperty("part", JsonValue.from(String.valueOf(n)))
                    .build();
            ids.add(ask(saying("Hi").store(true).metadata(metadata)).id());
        }
        ask(saying("Hi"));
        equal(storedIds(ChatCompletionListParams.builder().limit(2)), ids);
        ChatCompletionListParams.Metadata second =
                ChatCompletionListParams.Metadata.builder().putAdditionalProperty("part", "1").build();
        equal(storedIds(ChatCompletionListParams.builder().metadata(second)), ids.subList(1, 2));

        String id = ids.get(0);
        ChatCompletion kept = completions.retrieve(id);
        equal(kept.id(), id);
        equal(contentOf(kept), HELLO);
        equal(partOf(kept), JsonValue.from("0"));
        equal(
                completions.messages().list(id).items().stream()
                        .map(message -> message.toChatCompletionMessage().content().orElse(null))
                        .collect(Collectors.toList()),
                List.of("Hi"));

        ChatCompletionUpdateParams relabelled = ChatCompletionUpdateParams.builder()
                .metadata(ChatCompletionUpdateParams.Metadata.builder()
                        .putAdditionalProperty("part", JsonValue.from("new"))
                        .build())
                .build();
        equal(partOf(completions.update(id, relabelled)), JsonValue.from("new"));
        equal(partOf(completions.retrieve(id)), JsonValue.from("new"));
        for (String each : ids) holds(completions.delete(each).deleted(), "a deleted completion");
        equal(refused(NotFoundException.class, "not_found", () -> completions.retrieve(id)).statusCode(), 404);
        equal(storedIds(ChatCompletionListParams.builder()), List.of());
    }

    private static JsonValue partOf(ChatCompletion completion) {
        return completion.metadata().get()._additionalProperties().get("part");
    }

    private static List<String> storedIds(ChatCompletionListParams.Builder query) {
        return completions.list(query.build()).autoPager().stream()
                .map(ChatCompletion::id)
                .collect(Collectors.toList());
    }

    private static void models() throws Exception {
        equal(
                client.models().list().autoPager().stream().map(model -> model.id()).collect(Collectors.toList()),
                List.of(MODEL));
        equal(client.models().retrieve(MODEL).id(), MODEL);
        refused(NotFoundException.class, "model_not_found", () -> client.models().retrieve("none/such"));
    }
}
