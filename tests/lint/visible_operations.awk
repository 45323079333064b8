# Finds expressions with two visible operations (read_once, xchg, ...) whose order C++ leaves open: two arguments
# of one call, or two operands of one operator. Prints LINE:MESSAGE. It knows the operations by name, so it does
# not see one inside a function that a lock defines; `&&`, `||`, `?:`, `=`, `;` and braces do set an order.

BEGIN {
    visible = "^(read_once|write_once|(try_)?(cmp)?xchg(_[a-z]+)*|fetch_[a-z_]+|atomic_[a-z_]+|[a-z_]+_return(_[a-z]+)*|" \
              "smp_(load|store|cond)_[a-z_]+|test_and_[a-z_]+|load_(linked|exclusive)[a-z_]*|" \
              "store_(conditional|exclusive)[a-z_]*|need_resched|vcpu_is_preempted|pv_wait|pv_kick)$"
    depth = 0
    open_group("{", 0)
}

function open_group(kind, call) {
    depth++
    group[depth] = kind
    calls[depth] = call        # 2: a visible operation itself, 1: if/while/for/switch, 0: other
    operands[depth] = 0        # visible operations since the last thing that sets an order
    argument[depth] = 0        # whether the current argument has one
    arguments[depth] = 0       # how many arguments had one
}

function add_operand() {
    argument[depth] = 1
    if (++operands[depth] == 2) { print NR ":two visible operations in one expression: their order is open" }
}

function close_group(   kind, call, any) {
    if (depth == 1) { return }
    end_argument()
    kind = group[depth]; call = calls[depth]; any = arguments[depth]
    if (kind == "(" && any >= 2) { print NR ":two arguments with a visible operation: their order is open" }
    depth--
    if (kind == "{" || call == 1) { operands[depth] = 0 }
    else if (call == 2 || any > 0) { add_operand() }
}

function end_argument() {
    arguments[depth] += argument[depth]
    argument[depth] = 0
    operands[depth] = 0
}

/^[ \t]*#/ { next }

{
    text = $0
    gsub(/\\./, "", text)
    gsub(/"[^"]*"/, "", text)
    gsub(/'[^']*'/, "", text)
    sub(/\/\/.*/, "", text)
    previous = ""
    while (text != "") {
        if (match(text, /^[A-Za-z_][A-Za-z0-9_]*/) || match(text, /^(&&|\|\||==|!=|<=|>=|::)/)) { }
        else { RLENGTH = 1 }
        token = substr(text, 1, RLENGTH)
        text = substr(text, RLENGTH + 1)
        if (token ~ /^[ \t]$/) { continue }
        if (token == "(") {
            open_group("(", previous ~ visible ? 2 : previous ~ /^(if|while|for|switch)$/ ? 1 : 0)
        } else if (token == "{" || token == "[") { open_group(token, 0) }
        else if (token == ")" || token == "}" || token == "]") { close_group() }
        else if (token == ",") { end_argument() }
        else if (token ~ /^(&&|\|\||\?|:|=|;)$/) { operands[depth] = 0 }
        previous = token
    }
}
