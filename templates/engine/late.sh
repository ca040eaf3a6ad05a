# Part late: what the profile lists below a view.
# shellcheck disable=SC2154,SC2164 # other parts and the policy set and use these

mount_entries "${late_entries[@]}"
hold "${late_held[@]}"
cd -- "$cwd"
